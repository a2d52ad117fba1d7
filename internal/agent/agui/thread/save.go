package thread

import (
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
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

// Recall returns the conversation of a session that continues.
func Recall(memory agent.Memory) *Thread {
	t := &Thread{Log: conversation.Recall(memory, read, said), size: len(memory.State)}
	var rest extra
	_ = exactjson.Unmarshal(memory.State, &rest) // another state has neither
	if t.state = rest.State; memory.ForkOf == "" {
		t.pending = rest.Pending // otherwise, the server asked in the original
	}
	t.from = len(t.All)
	for i, m := range t.All {
		if m.IsUser() {
			t.user = i
		}
	}
	return t
}

func read(raw json.RawMessage) (*message, bool) {
	m := new(message)
	err := exactjson.Unmarshal(raw, m)
	m.streamed = true
	return m, err == nil
}

func said(id, role, text string) *message {
	return &message{ID: id, Role: role, text: rawjson.Quote(text), streamed: true}
}
