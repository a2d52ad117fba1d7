// Package toolview derives how a tool call is shown (title, kind, locations,
// diffs) from the tool's name and its arguments.
//
// A [Table] knows tools by their exact names, never by a part of one: "rm" is
// in "confirm". A tool that no table knows is described by the names of its
// arguments. What the agent itself said wins over both, and what a user said
// in their configuration wins over all. Everything here is
// pure: no file is looked at, so a diff is given only where the arguments hold
// the old text.
package toolview
