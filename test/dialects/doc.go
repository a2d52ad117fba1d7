// Package dialects judges every dialect from outside, by files: each event
// that a dialect names has a golden file, so has each trap that its agents
// set, and recorded streams are decoded whole. There is nothing here but tests.
//
// Contract: a golden file lies in agent/NAME/testdata, in variants (one for
// each name in the dialect's Types: "/" in a name is a folder, ":" becomes "_")
// or in streams (whole turns). Its comment says what it shows. Its sections are
//
//   - in: the lines of the stream; in a variants file the last line is the
//     variant itself, and those before it are what it needs to make sense;
//   - events: the canonical events, as `turnwire events` prints them;
//   - v1: what an editor gets, as `turnwire events --to v1 --cwd /project`
//     prints it.
//
// `go test ./test/dialects -update` writes the last two anew, and the generated
// parts of docs/events.md, which are made from the variants files and from the
// schema of events. Read what is written before you commit it: the tests can
// tell that lines are lawful, not that they are what somebody wants to see.
package dialects

//go:generate go test -run TestTheDocumentOfEventsIsWhatTheCodeDoes . -update
