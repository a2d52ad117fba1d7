// Package lazyregexp compiles regular expressions when they are first used.
//
// A program that editors start pays for each variable that it initializes, and most
// expressions are not needed by most runs.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that returns the expression. It panics at its first call if
// the expression is wrong.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
