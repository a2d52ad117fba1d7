package idle

import (
	"iter"

	"github.com/turnwire/turnwire/agent"
)

// view notes events on their way.
func (s *session) view(events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		said, silent := 0, false
		for e := range events {
			if isSilence(e) {
				silent = true
			} else {
				said++
				s.note(e, said == 1)
			}
			if !yield(e) {
				break
			}
		}
		s.mu.Lock()
		s.silent = silent && said == 0
		s.mu.Unlock()
	}
}

// isSilence reports whether an event says that the agent says nothing: it is not the
// agent's own.
func isSilence(e agent.Event) bool {
	h, ok := e.(*agent.Hint)
	return ok && h.Rule == "silent"
}

// note sees what an event says about who is waited for. Of the frequent events
// only the first of a batch says anything.
func (s *session) note(e agent.Event, first bool) {
	switch e := e.(type) {
	case *agent.ConfirmationRequested:
		s.ask(asked{confirmation, e.ConfirmationID, e.ToolCallID})
	case *agent.QuestionAsked:
		s.ask(asked{question, e.QuestionID, ""})
	case *agent.EditorRequested:
		s.ask(asked{editor, e.RequestID, ""})
	case *agent.ConfirmationResolved:
		s.answered(asked{confirmation, e.ConfirmationID, e.ToolCallID})
	case *agent.QuestionAnswered:
		s.answered(asked{question, e.QuestionID, ""})
	case *agent.Done:
		s.ends(e.TurnID, true)
	case *agent.Error:
		if e.Fatal == nil || *e.Fatal {
			// It may have to be started again.
			s.ends(e.TurnID, false)
		}
	default:
		if first {
			s.mu.Lock()
			s.heard = true
			s.mu.Unlock()
		}
	}
}

func (s *session) ask(a asked) {
	s.set(func() { s.asked[a], s.heard = true, true })
}

// ends notes the end of the turn that runs; another turn's comes too late.
func (s *session) ends(turnID string, heard bool) {
	s.set(func() {
		if turnID == "" || turnID == s.turn {
			s.turn, s.heard = "", heard
		}
	})
}

// An asked is what the user or the editor was asked: a confirmation by its own
// id and its call's, all else by its id.
type asked struct {
	kind     kind
	id, call string
}

type kind int

const (
	confirmation kind = iota
	question
	editor
)

// settles reports whether the answer a is one to what was asked as b. Without an
// id of its own it is one to all about its call.
func (a asked) settles(b asked) bool {
	if a.kind != b.kind {
		return false
	}
	if a.kind != confirmation || a.id != "" && b.id != "" {
		return a.id == b.id
	}
	return a.call == b.call
}
