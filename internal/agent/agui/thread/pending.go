package thread

import "github.com/turnwire/turnwire/agent"

// A Pending is an interrupt that was not answered.
type Pending struct {
	ID string `json:"id"`
	// Legacy means that it came as a LangGraph event, from an adapter that may not know
	// resume entries.
	Legacy bool `json:"legacy,omitempty"`
	// Refusal is the payload that refuses everything, for an interrupt that can't be
	// cancelled; otherwise nil. LangChain's middleware fails unless it gets decisions.
	Refusal agent.Raw `json:"refusal,omitempty"`
}

// Resume returns the entry that answers the interrupt with a payload, or refuses it if
// payload is nil.
func (p *Pending) Resume(payload agent.Raw) Resume {
	if payload == nil {
		payload = p.Refusal
	}
	r := Resume{InterruptID: p.ID, Status: Resolved, Payload: payload, Legacy: p.Legacy}
	if payload == nil {
		r.Status = Cancelled
	}
	return r
}

// Await adds an interrupt that the last run waits for.
func (t *Thread) Await(p Pending) { t.pending = append(t.pending, p) }

// Answered forgets the interrupts: the server has their answers, or doesn't want them.
func (t *Thread) Answered() { t.pending = nil }

// Refusals returns the entries that refuse the pending interrupts.
func (t *Thread) Refusals() (list []Resume) {
	for i := range t.pending {
		list = append(list, t.pending[i].Resume(nil))
	}
	return list
}
