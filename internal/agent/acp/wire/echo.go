package wire

import (
	"strings"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxMessage is the maximum length of a message whose repetition in a thought is
// recognised.
const maxMessage = 64 << 10

// echo is the text since the last thought, tool call or end of a turn.
type echo struct {
	text rawjson.String
	lost bool // the text became too long
}

func (s *echo) add(piece rawjson.String) {
	if s.lost = s.lost || len(s.text)+len(piece) > maxMessage; s.lost {
		s.text = s.text[:0]
		return
	}
	s.text = append(s.text, piece...)
}

func (s *echo) reset() { s.text, s.lost = s.text[:0], false }

// repeatedBy reports whether thought equals the whole text, except for
// surrounding white space.
func (s *echo) repeatedBy(thought rawjson.String) bool {
	if len(s.text) == 0 || len(thought) > len(s.text) {
		return false
	}
	message := strings.TrimSpace(s.text.String())
	return message != "" && message == strings.TrimSpace(thought.String())
}
