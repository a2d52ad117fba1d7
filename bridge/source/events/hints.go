package events

import (
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
)

const (
	// hintWait is how long a turn may show nothing after lines that were not
	// understood, before the user is told of them.
	hintWait = 3 * time.Second
	// maxHints bounds the kinds of mistakes that a session tells of.
	maxHints = 16
)

// hints are what is wrong with the agent's lines. They belong to the session's
// goroutine.
type hints struct {
	known   map[string]bool // kinds that were told or wait for it
	waiting []agent.Hint    // what the user has not been told
	at      time.Time       // when to tell it; zero for not at a time
	quiet   bool            // nothing was shown since at was set
}

// losses are the events of a turn that were dropped, all or in part.
type losses struct {
	count int
	first *agent.Hint
	told  bool // each one in a separate notice
}

func (l *losses) add(e *agent.Hint) {
	if l.count++; l.first == nil {
		l.first = e
	}
}

// notice tells of the losses in one line.
func (l *losses) notice() *agent.Notice {
	what := "1 event was not understood"
	if l.count > 1 {
		what = fmt.Sprintf("%d events were not understood", l.count)
	}
	where := ""
	if l.first.Line > 0 {
		where = fmt.Sprintf("line %d: ", l.first.Line)
	}
	return &agent.Notice{
		Severity: "warning",
		Message:  fmt.Sprintf("%s (%s%s); “turnwire check -- COMMAND” explains", what, where, l.first.Message),
	}
}

// note keeps a hint, the first of its kind.
func (h *hints) note(e *agent.Hint) {
	if e.Again || h.known[e.Kind] || len(h.known) >= maxHints {
		return
	}
	if h.known == nil {
		h.known = make(map[string]bool)
	}
	h.known[e.Kind] = true
	h.waiting = append(h.waiting, *e)
}

// wait has the user told soon, unless something is shown before.
func (h *hints) wait() {
	if len(h.waiting) > 0 && h.at.IsZero() {
		h.at, h.quiet = time.Now().Add(hintWait), true
	}
}

// noteHint notes what is wrong with a line. It is no news to a user who is shown
// what the agent does.
func (s *session) noteHint(e *agent.Hint) {
	s.hints.note(e)
	if s.turn == nil {
		return
	}
	s.hints.wait()
	if e.Lost {
		s.turn.losses.add(e)
	}
}

// checkHints tells the user what is wrong where the time has come.
func (s *session) checkHints() {
	h := &s.hints
	if h.at.IsZero() || time.Now().Before(h.at) {
		return
	}
	h.at = time.Time{}
	if h.quiet && s.turn != nil {
		s.tellHints()
	}
}

// tellHintsAtEnd tells the user at the end of a turn what is wrong: everything if
// the turn has shown nothing, else in one line what was lost.
func (s *session) tellHintsAtEnd() {
	s.hints.at = time.Time{}
	if s.turn == nil || s.queue.isCancelled() {
		return
	}
	if !s.turn.said {
		s.tellHints()
	}
	if l := &s.turn.losses; l.count > 0 && !l.told {
		s.normalizer.Add(l.notice(), s.step)
	}
}

func (s *session) tellHints() {
	waiting := s.hints.waiting
	s.hints.waiting = nil
	for _, e := range waiting {
		s.turn.losses.told = s.turn.losses.told || e.Lost
		if e.Rule == "silent" {
			s.normalizer.Add(&agent.Notice{Severity: "info", Message: e.Message + ". " + e.Help}, s.step)
			continue
		}
		where := "The agent's output is not understood: "
		if e.Line > 0 {
			where = fmt.Sprintf("Line %d of the agent's output is not understood: ", e.Line)
		}
		s.normalizer.Add(&agent.Notice{Severity: "warning", Message: where + e.Message, Description: e.Help}, s.step)
	}
}
