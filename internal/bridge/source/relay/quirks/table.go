package quirks

import "github.com/turnwire/turnwire/internal/agent/stream/toolview"

// A Table says how an agent departs from the protocol.
type Table struct {
	// Options has the kinds of permission options that have no kind, by their ids. If
	// it is nil, options stay as they are.
	Options map[string]string
	// Notices are the prefixes of chunks that are a line of their own and no part of
	// the answer.
	Notices []Mark
	// ErrorPrefix begins a chunk that says why the turn then ends.
	ErrorPrefix string
	// Tools describes calls whose title is only the name of a tool.
	Tools toolview.Table
	// RelativePaths says that paths are relative to the session's folder.
	RelativePaths bool
	// EndsTwice says that each call ends twice, with the same update.
	EndsTwice bool
	// Traces says that errors hold stack traces, and their cause in the data alone.
	Traces bool
	// Busy and Lost are the codes of errors that say that another prompt of the session
	// is running, and that the session is unknown.
	Busy, Lost int64
	// Folders says that tools work in the folder of the agent's process, whatever the
	// session's folder is, so that each folder needs a process of its own.
	Folders bool
}

// A Mark is a prefix of a chunk, and the severity of the notice that the chunk is.
type Mark struct{ Prefix, Severity string }

// With returns the table with the user's descriptions of tools.
func (t *Table) With(tools toolview.Table) *Table {
	if t == nil || len(tools) == 0 {
		return t
	}
	out := *t
	out.Tools = t.Tools.With(tools)
	return &out
}
