package wire

import (
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// state is the decoder's state for a stream. All of it is bounded.
type state struct {
	answer    answer
	calls     calls
	approvals []approval
	helpers   []*helper
	question  string // the last question, while it is open
	numbers   map[string]int

	hosted  bool   // the lines come from the host, which asks questions itself
	counted bool   // the stream has llm_call_started
	stepped bool   // the current round with the model was announced
	blame   string // the error class of the model's last failure
}

// forget drops the state of a turn.
func (s *state) forget(l *dialect.Line) {
	s.endPending(l)
	s.calls = calls{}
	s.approvals, s.helpers = nil, nil
	s.answer.forget()
	s.question, s.blame, s.stepped = "", "", false
}

// next returns a numbered id for something without an id.
func (s *state) next(what string) string {
	if s.numbers == nil {
		s.numbers = make(map[string]int)
	}
	s.numbers[what]++
	return what + "-" + strconv.Itoa(s.numbers[what])
}

// first returns the first text that is not blank.
func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}
