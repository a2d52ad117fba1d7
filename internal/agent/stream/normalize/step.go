package normalize

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Step is a well-formed event with its context.
type Step struct {
	Event agent.Event
	// Tool is the call that the event is about, in its state after the event,
	// or nil.
	Tool *Tool
	// First is set on the first step about Tool.
	First bool
	// Closed is set if the normalizer ended a call because the agent did not.
	// The agent may still wait for an answer.
	Closed bool
	// Changed says which fields of Tool or Options differ from earlier steps.
	// These fields must be shown.
	Changed Fields
	// Output is the call's output so far, if it should be shown again; see
	// [Normalizer.Flush].
	Output agent.Text
	// Usage holds the totals, for a usage event.
	Usage *Usage
	// Options are all options, for an event about one. Mode is the mode, if the
	// event reports or changes it. Options are well-formed: ids are set and
	// unique, the current value is among the choices, every option has a name,
	// and the total length is bounded.
	Options []agent.Option
	Mode    string
	// Entries holds the entries of all plans, for an event about a plan.
	Entries []agent.PlanEntry
	// MessageID is a new id, for an event that clients without a better way
	// show as a separate message; see package acpmap.
	MessageID string
	// End is set on the last step of a turn: an [agent.Done] or a fatal
	// [agent.Error].
	End bool
}

// Status is the state of a tool call.
type Status int

// The states of a tool call, in order.
const (
	Pending Status = iota
	Running
	Completed
	Failed
)

// Terminal reports whether the call has ended.
func (s Status) Terminal() bool { return s >= Completed }

// A Tool is a tool call.
type Tool struct {
	ID        string // unique in the session
	AgentID   string // the agent's id for the call
	Name      string
	Parent    string // ID of the parent call, or ""
	Args      agent.Raw
	View      agent.View
	Status    Status
	Cancelled bool     // the call failed because it was cancelled or refused
	Terminals []string // ids of the editor's terminals that are shown in the call
	Asked     bool     // the agent asked for consent, so the call did nothing before

	asking        bool   // a confirmation of the call is open
	asked         string // the id of that confirmation
	confirmations int
	given         agent.View // the parts of the view that the agent sent
	argsText      rawjson.String
	argsLost      bool // argsText became too long
	output        output
	shown         shown
	hidden        bool // for an audience other than the user
	answered      bool // its result was yielded
}

// Usage is what a session has used so far.
type Usage struct {
	Used uint64  // tokens in the context of the last request
	Size uint64  // the context window; 0 if unknown
	Cost float64 // US dollars, for the whole session
}
