package normalize

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Step is a lawful event and what is known around it.
type Step struct {
	Event agent.Event
	// Tool is the call that the event is about, as it is after the event. It
	// is nil where the event is about none.
	Tool *Tool
	// First is set on the first step about Tool.
	First bool
	// Closed is set where a call ends that the agent has not ended: it may still
	// wait for an answer.
	Closed bool
	// Changed is what of Tool, or of Options, differs from what the steps before
	// said. Whatever it names must be shown.
	Changed Fields
	// Output is what the call has printed so far, where it is time to show
	// it again; see [Normalizer.Flush].
	Output rawjson.String
	// Usage holds the totals, for a usage event.
	Usage *Usage
	// Options are all that can be chosen, for an event that is about one, and
	// Mode is the mode where the event tells it or changes it. They are lawful:
	// ids are there and unique, what is set is among the choices, all have
	// names, and the whole is no longer than an editor can take.
	Options []agent.Option
	Mode    string
	// MessageID is a new id, for an event that is shown as a message of its
	// own where a client has no better way; see package mapv1.
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
	Cancelled bool // it failed because it was cancelled or refused

	asking        bool   // a confirmation of it is open,
	asked         string // with this id
	confirmations int
	given         agent.View // what the agent itself said of the view
	argsText      rawjson.String
	argsLost      bool // it became too long
	output        output
	shown         shown
	hidden        bool // for an audience that is no person
	answered      bool // its result was yielded
}

// Usage is what a session has used so far.
type Usage struct {
	Used uint64  // tokens in the context of the last request
	Size uint64  // the context window, 0 where it is not known
	Cost float64 // US dollars, of the whole session
}
