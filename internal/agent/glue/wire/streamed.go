package wire

import (
	"strings"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxStreamed limits how much of a message is remembered, in bytes of JSON.
const maxStreamed = 64 << 10

// streamed is the streamed part of a message. AssistantMessageEvent repeats the
// message as a whole.
type streamed struct {
	head rawjson.String
	more bool // there was more text, which is not remembered
}

func (s *streamed) add(piece rawjson.String) {
	if s.more = s.more || len(s.head)+len(piece) > maxStreamed; !s.more {
		s.head = append(s.head, piece...)
	}
}

func (s *streamed) reset() { s.head, s.more = s.head[:0], false }

// rest returns the part of the whole message that was not streamed. apart means
// that it does not continue the streamed text.
func (s *streamed) rest(whole rawjson.String) (rest rawjson.String, apart bool) {
	if len(s.head) == 0 && !s.more {
		return whole, false
	}
	head, want := s.head.String(), whole.String()
	if after, ok := strings.CutPrefix(want, head); ok && !s.more {
		if strings.TrimSpace(after) == "" {
			return nil, false
		}
		return rawjson.Quote(after), false
	}
	// The last of several messages, or one with different surrounding space.
	if s.more || strings.Contains(head, strings.TrimSpace(want)) {
		return nil, false
	}
	return whole, true
}
