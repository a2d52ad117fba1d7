// Package wire decodes the messages of Claude Code's stream-json. Package control adds
// its control protocol.
//
// With --include-partial-messages, the pieces of a message precede the whole message,
// which then only completes the tool calls. Lists of tasks become plans.
package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Table declares the messages.
var Table = dialect.Table[State]{
	Name: "claude",
	Forms: []dialect.Form[State]{{Type: "type", Kinds: []dialect.Kind[State]{
		{Name: "assistant", Decode: assistant},
		{Name: "user", Decode: user},
		{Name: "result", Decode: result},
		{Name: "stream_event", Decode: streamEvent},
		{Name: "tool_progress", Event: func(l *dialect.Line) agent.Event {
			after := dialect.Duration(1000 * l.Float("elapsed_time_seconds"))
			return &agent.ToolProgress{ToolCallID: l.Key("tool_use_id"), Message: after, Audience: agent.ForUser}
		}},
		{Name: "keep_alive"}, {Name: "rate_limit_event"},
	}}},
	New:       func() *State { return &State{hidden: map[string]string{}, background: map[string]bool{}} },
	Recognise: func(l *dialect.Line) bool { return l.Top.Has("session_id", "request_id", "response") },
}

// State is the decoder's state for a process.
type State struct {
	message string            // the message whose pieces are streamed
	model   string            // of the last message
	call    string            // the call whose arguments are streamed; "" for none
	usage   agent.Usage       // of the streamed message
	hidden  map[string]string // names of open calls that are shown as something else
	tasks   []task
	// background has the sub-agents in the background. The turn goes on until Claude
	// Code has continued with their results.
	background map[string]bool
	waiting    bool    // for the results, after Claude Code's own end of the turn
	cost       float64 // of the process
	failure    string  // the kind of the turn's error, which its result repeats
	cancelled  bool    // the user interrupted the turn
}
