package normalize

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Step is a well-formed event with its context.
type Step struct {
	Event agent.Event
	// Tool is the call that the event is about, in its state after the event,
	// or nil if there is none.
	Tool *Tool
	// First is set on the first step about Tool.
	First bool
	// Closed is set if a call ends that the agent has not ended: the agent may
	// still wait for an answer.
	Closed bool
	// Changed says which fields of Tool or Options differ from the earlier
	// steps. These fields must be shown.
	Changed Fields
	// Output is the output of the call so far, if it is time to show it again;
	// see [Normalizer.Flush].
	Output agent.Text
	// Usage holds the totals, for a usage event.
	Usage *Usage
	// Options are all options, for an event about one. Mode is the mode, if the
	// event reports or changes it. Options are well-formed: ids exist and are
	// unique, the current value is among the choices, all have names, and their
	// total length is bounded.
	Options []agent.Option
	Mode    string
	// Entries are those of all plans together, for an event about a plan.
	Entries []agent.PlanEntry
	// MessageID is a new id, for an event that is shown as a message of its own
	// if a client has no better way; see package mapv1.
	MessageID string
	// End is set on the last step of a turn: an [agent.Done] or a fatal
	// [agent.Error].
	End bool
}

// Status is the state of a tool call.
type Status int

// The states of a tool call, in their order.
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
	AgentID   string // as the agent calls it
	Name      string
	Parent    string // ID of the call that it belongs to, or ""
	Args      agent.Raw
	View      agent.View
	Status    Status
	Cancelled bool     // it failed because it was cancelled or refused
	Terminals []string // of the editor, that are shown in the call
	Asked     bool     // the agent has asked for consent, so the call did nothing before

	asking        bool   // a confirmation of it is open
	asked         string // the id of that confirmation
	confirmations int
	given         agent.View // the parts of the view that the agent gave
	argsText      rawjson.String
	argsLost      bool // it became too long
	output        output
	shown         shown
	hidden        bool // for an audience other than the user
	answered      bool // its result was yielded
}

// Usage is what a session has used so far.
type Usage struct {
	Used uint64  // tokens in the context of the last request
	Size uint64  // the context window, 0 where it is not known
	Cost float64 // US dollars, of the whole session
}
