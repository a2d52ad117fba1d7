package wire

import (
	"strings"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxSaid bounds what is remembered of the text of a turn. What is forgotten may
// be said again.
const maxSaid = 8 << 20

// longEnough is the length of a text that is the same by more than chance, in
// bytes.
const longEnough = 32

// said is the text of a turn's answers, as far as no message of the thread is
// known to hold it.
type said struct {
	text  []byte
	known int // so many bytes that follow are those of such a message
}

func (d *said) add(piece rawjson.String) {
	text := piece.String()
	n := min(d.known, len(text))
	d.known -= n
	if text = text[n:]; len(d.text)+len(text) > maxSaid {
		d.text = nil
	}
	d.text = append(d.text, text...)
}

// Unsaid is what of a message's text was not said, and so is to be said next.
// Messages come in their order.
func (s *State) Unsaid(text string) string {
	have := string(s.said.text)
	i := strings.Index(have, text)
	switch {
	case i == 0 || i > 0 && len(text) >= longEnough: // a sub-agent's text may stand before it
		s.said.text = s.said.text[i+len(text):]
		return ""
	case strings.HasPrefix(text, have):
		text = text[len(have):]
		s.said.text = nil
	}
	s.said.known = len(text)
	return text
}

// HasEnded reports whether a call is known, and has ended.
func (s *State) HasEnded(call string) bool {
	k := s.calls.find(call)
	return k != nil && k.state == finished
}

// Knows reports whether a call is known.
func (s *State) Knows(call string) bool { return s.calls.find(call) != nil }
