// Package toolview derives how a tool call is shown (title, kind, locations,
// diffs) from the tool's name and its arguments.
//
// A [Table] matches tools by their exact names, never by part of a name: "rm"
// is part of "confirm". A tool that is in no table is described by the names of
// its arguments. The agent's own description overrides both, and the user's
// configuration overrides everything. The package reads no files, so it
// produces a diff only if the arguments contain the old text.
package toolview
