package thread

import (
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// extra is the part of a saved conversation that only AG-UI has.
type extra struct {
	State   json.RawMessage `json:"state,omitempty"`
	Pending []Pending       `json:"pending,omitempty"`
}

// Save returns the conversation with at most limit bytes, or nil if not even its
// last turn fits.
func (t *Thread) Save(limit int) agent.Raw {
	const members = 80 // for the names of the members
	rest := extra{t.state, t.pending}
	saved, ok := t.Log.Save(limit - len(encode(rest)) - members)
	if !ok {
		return nil
	}
	return encode(struct {
		conversation.Saved
		extra
	}{saved, rest})
}

// Recall returns the conversation of a session that continues, or an empty one if its state
// is something else.
func Recall(memory agent.Memory) *Thread {
	var r struct {
		Messages []*message `json:"messages"`
		Cut      bool       `json:"cut"`
		extra
	}
	if exactjson.Unmarshal(memory.State, &r) != nil {
		return new(Thread)
	}
	t := &Thread{state: r.State, size: len(memory.State)}
	if t.Cut = r.Cut; memory.ForkOf == "" {
		t.pending = r.Pending // otherwise, the server asked in the original
	}
	for _, m := range r.Messages {
		if m != nil {
			m.streamed = true
			if m.Role == "user" {
				t.user = len(t.All)
			}
			t.All = append(t.All, m)
		}
	}
	t.from = len(t.All)
	return t
}
