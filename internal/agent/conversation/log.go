// Package conversation holds the messages of a conversation that its client owns: each
// request repeats them, because the server may remember nothing.
package conversation

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// A Message is a message in the server's format.
type Message interface {
	// IsUser reports whether it is the user's message, with which a turn begins.
	IsUser() bool
	// Encode returns the message for the server, or nil if the server doesn't get it. If
	// media is false, images and the like may be left out.
	Encode(media bool) json.RawMessage
}

// A Log is the messages of a conversation, oldest first.
type Log[M Message] struct {
	All []M
	// Cut means that the oldest turns were dropped, because they are too large.
	Cut bool
}

// Encode returns the messages for a request.
func (l *Log[M]) Encode() []json.RawMessage {
	list, _ := l.newest(math.MaxInt, true)
	return list
}

// Overhead is what a message counts for, besides its text, in bytes.
const Overhead = 1 << 10

// Trim drops the oldest turns while the messages need more than limit bytes of memory, and
// returns what the rest needs.
func (l *Log[M]) Trim(limit int) (size int) {
	kept, room := len(l.All), 0
	for i, m := range slices.Backward(l.All) {
		if size += Overhead + len(m.Encode(true)); size > limit {
			l.All, l.Cut = slices.Clone(l.All[kept:]), true
			return room
		}
		if m.IsUser() {
			kept, room = i, size
		}
	}
	return size
}

// Saved is the part of a session's state that is the same for all protocols.
type Saved struct {
	Messages []json.RawMessage `json:"messages"`
	Cut      bool              `json:"cut,omitempty"`
}

// Save returns the newest turns that have at most limit bytes. If images and the like make
// the difference, they are left out. It returns false if not even the last turn fits.
func (l *Log[M]) Save(limit int) (s Saved, ok bool) {
	list, complete := l.newest(limit, true)
	if !complete {
		list, complete = l.newest(limit, false)
	}
	return Saved{list, l.Cut || !complete}, complete || len(list) > 0
}

// State returns the newest turns that fit, as the state of a session. It has no messages if
// not even the last turn fits.
func (l *Log[M]) State() agent.Raw {
	const members = 80 // for the names of the members
	s, _ := l.Save(agent.MaxState - members)
	raw, err := json.Marshal(s)
	if err != nil {
		return nil // impossible: the messages are JSON
	}
	return raw
}

// newest returns the newest turns that have at most limit bytes, and whether these are all.
// A turn is never cut apart, because a result without its call is invalid.
func (l *Log[M]) newest(limit int, media bool) (list []json.RawMessage, complete bool) {
	list = []json.RawMessage{}
	size, turns := 0, 0 // turns is the length of the list up to its last whole turn
	for _, m := range slices.Backward(l.All) {
		raw := m.Encode(media)
		if raw == nil {
			continue
		}
		if size += len(raw) + 1; size > limit {
			slices.Reverse(list[:turns])
			return list[:turns], false
		}
		if list = append(list, raw); m.IsUser() {
			turns = len(list)
		}
	}
	slices.Reverse(list)
	return list, true
}
