// Package edit knows what a tool call would write. It turns the arguments that
// frameworks use for that (a whole file, a replaced text, a list of those, a
// patch, a cell of a notebook) into changes, and applies a change to the text
// of a file, so that a user can be shown the difference.
//
// Contract:
//
//   - A call is a change only if its arguments have the shape of one. That a
//     text is the new text of a file, and not something else beside a path, is
//     known by the tool's exact name.
//   - A change applies as tools apply it, or not at all: a text that is not
//     there, or is there more than once, is an error. So a difference is right
//     or there is none.
//   - It does no input or output, and allocates nothing for other calls.
package edit
