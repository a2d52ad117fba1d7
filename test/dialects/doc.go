// Package dialects tests every dialect from outside, with files: each event that
// a dialect names and each known peculiarity of its agents has a golden file, and
// recorded streams are decoded as a whole. It contains only tests.
//
// A golden file is in agent/NAME/wire/testdata, either in variants (one for each
// name in the dialect's Types; a "/" in a name becomes a folder, ":" becomes "_")
// or in streams (whole turns). Its comment says what it shows. Its sections are
//
//   - in: the lines of the stream; in a variants file the last line is the
//     variant itself, after the lines that it needs;
//   - events: the canonical events, as `turnwire events` prints them;
//   - v1: what an editor receives, as `turnwire events --to v1 --cwd /project`
//     prints it.
//
// `go test ./test/dialects -update` rewrites the last two sections and the
// generated parts of docs/events.md, which come from the variants files and from
// the schema of events. Read the result before you commit it: the tests check
// that lines are well-formed, not that they are what a user wants to see.
package dialects

//go:generate go test -run TestTheEventsDocumentMatchesTheCode . -update
