package thread

import (
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A record is a saved conversation.
type record struct {
	Messages []*message      `json:"messages"`
	State    json.RawMessage `json:"state,omitempty"`
	Pending  []Pending       `json:"pending,omitempty"`
	Cut      bool            `json:"cut,omitempty"`
}

// Messages returns the messages for a run's input. The oldest turns are left out if
// all of them have more than limit bytes. A turn is never cut apart, because a
// result without its call is invalid. If media is false, images and the like are
// left out.
func (t *Thread) Messages(limit int, media bool) (list []json.RawMessage, complete bool, err error) {
	size, first := 0, -1 // first is the index in list of the oldest turn that fits
	for _, m := range slices.Backward(t.messages) {
		if !m.isSent() {
			continue
		}
		if !media {
			m = m.withoutMedia()
		}
		raw, err := json.Marshal(m)
		if err != nil {
			return nil, false, err
		}
		if size += len(raw) + 1; size > limit && first >= 0 {
			return reversed(list[:first]), false, nil
		}
		if list = append(list, raw); m.Role == "user" {
			first = len(list)
		}
	}
	return reversed(list), true, nil
}

func reversed(list []json.RawMessage) []json.RawMessage {
	turned := make([]json.RawMessage, len(list))
	for i, m := range list {
		turned[len(list)-1-i] = m
	}
	return turned
}

// Save returns the conversation with at most limit bytes, or nil if not even its
// last turn fits. Images and the like are left out if they don't fit.
func (t *Thread) Save(limit int) json.RawMessage {
	const members = 80 // for the names of the members
	rest, err := json.Marshal(t.pending)
	if err != nil {
		return nil
	}
	room := limit - len(rest) - len(t.state) - members
	list, complete, err := t.Messages(room, true)
	if !complete && err == nil {
		list, complete, err = t.Messages(room, false)
	}
	if err != nil {
		return nil
	}
	raw, err := json.Marshal(struct {
		Messages []json.RawMessage `json:"messages"`
		record
	}{list, record{State: t.state, Pending: t.pending, Cut: t.cut || !complete}})
	if err != nil || len(raw) > limit {
		return nil
	}
	return raw
}

// Restore returns a saved conversation, or an empty one if raw is something else.
func Restore(raw json.RawMessage) *Thread {
	var r record
	if exactjson.Unmarshal(raw, &r) != nil {
		return new(Thread)
	}
	t := &Thread{state: r.State, pending: r.Pending, size: len(raw), cut: r.Cut}
	for _, m := range r.Messages {
		if m != nil {
			m.streamed = true
			if m.Role == "user" {
				t.user = len(t.messages)
			}
			t.messages = append(t.messages, m)
		}
	}
	t.from = len(t.messages)
	return t
}
