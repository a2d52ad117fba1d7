package thread

import "github.com/turnwire/turnwire/agent"

// A Pending is an interrupt that was not answered.
type Pending struct {
	ID     string `json:"id"`
	Legacy bool   `json:"legacy,omitempty"`
	// Refusal is the payload that cancels it; nil if it can be cancelled as such.
	Refusal agent.Raw `json:"refusal,omitempty"`
}

// Await adds an interrupt that the last run waits for.
func (t *Thread) Await(p Pending) { t.pending = append(t.pending, p) }

// Answered forgets the interrupts: the server has their answers, or doesn't want them.
func (t *Thread) Answered() { t.pending = nil }

// Refusals returns the entries that cancel the pending interrupts.
func (t *Thread) Refusals() (list []Resume) {
	for _, p := range t.pending {
		list = append(list, NewResume(p.ID, p.Legacy, p.Refusal))
	}
	return list
}
