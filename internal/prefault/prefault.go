// Package prefault has Linux put in place, with a few calls, the memory that the
// start of the program is about to touch. To import it is all there is to do.
//
// A page that is not there yet stops the program where it first touches it. That
// is next to nothing on most machines, and ten microseconds or more on some
// virtual ones, 400 times before an editor has its first answer. There this saves
// a fifth of the time.
//
// It imports no package, so that the linker has it initialised before nearly all
// others: these are what touches the pages. Where a call fails (before Linux
// 5.14, in some sandboxes) the start is as long as without it.
package prefault
