// Package lazyregexp compiles regular expressions on first use.
//
// Every package variable that is initialized slows down the start of a program, which
// editors wait for, and most runs don't need most expressions.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the compiled expression. The function panics on its
// first call if the expression is invalid.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
