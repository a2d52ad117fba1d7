// Package edit determines what a tool call would write. It parses the
// arguments that frameworks use for edits: a whole file, a replacement, a list
// of replacements, a patch, or a notebook cell. It applies the changes to a
// file's text, so that the user can be shown a diff.
//
//   - A call is a change only if its arguments have the shape of one. Only the
//     tool's exact name tells whether a text next to a path is a file's new
//     text.
//   - A change is applied the way tools apply it, or not at all: if the text
//     to replace is missing or occurs more than once, that is an error. So a
//     diff is either right or missing.
//   - The package does no I/O, and does not allocate for other calls.
package edit
