package wire

import (
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// state is what the decoder remembers of a stream. All of it is bounded.
type state struct {
	answer    answer
	calls     calls
	approvals []approval
	helpers   []*helper
	question  string // the last that was asked and is open
	numbers   map[string]int

	hosted  bool   // the lines come from the host, which asks by itself
	counted bool   // the stream has llm_call_started
	stepped bool   // the round with the model has been announced
	blame   string // the class of the last failure of the model
}

// forget forgets a turn.
func (s *state) forget(l *dialect.Line) {
	s.endPending(l)
	s.calls = calls{}
	s.approvals, s.helpers = nil, nil
	s.answer.forget()
	s.question, s.blame, s.stepped = "", "", false
}

// next numbers what has no id of its own.
func (s *state) next(what string) string {
	if s.numbers == nil {
		s.numbers = make(map[string]int)
	}
	s.numbers[what]++
	return what + "-" + strconv.Itoa(s.numbers[what])
}

// first is the first text that is not blank.
func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}
