package wire

import (
	"strings"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxText limits the remembered text of a turn. Forgotten text may be repeated.
const maxText = 8 << 20

// longEnough is the minimum length, in bytes, of a text whose match is not a
// coincidence.
const longEnough = 32

// message is the text of a turn's answers that was not yet found in a message of
// the thread.
type message struct {
	text  []byte
	known int // number of upcoming bytes that belong to such a message
}

func (d *message) add(piece rawjson.String) {
	text := piece.String()
	n := min(d.known, len(text))
	d.known -= n
	if text = text[n:]; len(d.text)+len(text) > maxText {
		d.text = nil
	}
	d.text = append(d.text, text...)
}

// Unsaid returns the part of a message's text that was not streamed, which the
// caller must emit next. Messages must be passed in order.
func (s *State) Unsaid(text string) string {
	have := string(s.lastText.text)
	i := strings.Index(have, text)
	switch {
	case i == 0 || i > 0 && len(text) >= longEnough: // a sub-agent's text may precede it
		s.lastText.text = s.lastText.text[i+len(text):]
		return ""
	case strings.HasPrefix(text, have):
		text = text[len(have):]
		s.lastText.text = nil
	}
	s.lastText.known = len(text)
	return text
}

// HasEnded reports whether a call is known and has ended.
func (s *State) HasEnded(call string) bool {
	k := s.calls.find(call)
	return k != nil && k.state == finished
}

// Knows reports whether a call is known.
func (s *State) Knows(call string) bool { return s.calls.find(call) != nil }
