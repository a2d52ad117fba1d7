package quirks

import "github.com/turnwire/turnwire/internal/agent/stream/toolview"

// A Table describes an agent's deviations from ACP.
type Table struct {
	// Options maps the ids of permission options that have no kind to their kinds. If
	// it is nil, options are not changed.
	Options map[string]string
	// Notices are the prefixes of chunks that are separate one-line messages, and not
	// part of the answer.
	Notices []Mark
	// ErrorPrefix starts a chunk that gives the reason for the end of the turn.
	ErrorPrefix string
	// Tools describes calls whose title is only the tool's name.
	Tools toolview.Table
	// RelativePaths is set if paths are relative to the session's folder.
	RelativePaths bool
	// EndsTwice is set if each call ends twice, with the same update.
	EndsTwice bool
	// Traces is set if errors contain stack traces, and their cause only in the data.
	Traces bool
	// Busy and Lost are the error codes for a session whose earlier prompt is still
	// running, and for an unknown session.
	Busy, Lost int64
	// Folders is set if tools work in the folder of the agent's process, whatever the
	// session's folder is. Each folder then needs its own process.
	Folders bool
}

// A Mark is a chunk's prefix, and the severity of the notice that the chunk becomes.
type Mark struct{ Prefix, Severity string }

// With returns the table extended by the user's tool descriptions.
func (t *Table) With(tools toolview.Table) *Table {
	if t == nil || len(tools) == 0 {
		return t
	}
	out := *t
	out.Tools = t.Tools.With(tools)
	return &out
}
