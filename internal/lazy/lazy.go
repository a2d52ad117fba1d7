// Package lazy makes values when they are first needed.
//
// [sync.OnceValue] does that too, but it has to be called itself: for the
// variable of a package at each start of the program, for which editors wait.
// What is here is laid out by the linker, and costs a start nothing.
package lazy

import (
	"regexp"
	"sync"
)

// A Value is made by Make, once, when it is first asked for.
type Value[T any] struct {
	Make func() T

	once sync.Once
	made T
}

// Get returns the value.
func (v *Value[T]) Get() T {
	v.once.Do(func() { v.made = v.Make() })
	return v.made
}

// A Regexp is a regular expression that is compiled when it is first used.
type Regexp struct {
	Expr string

	once     sync.Once
	compiled *regexp.Regexp
}

// Get returns the compiled expression. It panics where that cannot be.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.Expr) })
	return r.compiled
}
