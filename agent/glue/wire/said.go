package wire

import (
	"strings"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxSaid bounds how much of a message is remembered, in bytes of JSON.
const maxSaid = 64 << 10

// said is what was streamed of a message, to find it again in the whole
// message that AssistantMessageEvent brings when it is complete.
type said struct {
	head rawjson.String
	more bool // and something behind it
}

func (s *said) add(piece rawjson.String) {
	if s.more = s.more || len(s.head)+len(piece) > maxSaid; !s.more {
		s.head = append(s.head, piece...)
	}
}

func (s *said) nothing() bool { return len(s.head) == 0 && !s.more }

func (s *said) reset() { s.head, s.more = s.head[:0], false }

// rest is what of the whole message was not streamed; apart tells that it does
// not go on where the stream stopped.
func (s *said) rest(whole rawjson.String) (rest rawjson.String, apart bool) {
	if s.nothing() {
		return whole, false
	}
	streamed, want := s.head.String(), whole.String()
	if after, ok := strings.CutPrefix(want, streamed); ok && !s.more {
		if strings.TrimSpace(after) == "" {
			return nil, false
		}
		return rawjson.Quote(after), false
	}
	// The last of several messages, or one that differs in the space around it.
	if s.more || strings.Contains(streamed, strings.TrimSpace(want)) {
		return nil, false
	}
	return whole, true
}
