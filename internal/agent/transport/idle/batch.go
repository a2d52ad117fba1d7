package idle

import (
	"iter"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

// view watches the events of a batch on their way to the receiver.
func (s *session) view(events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		seen, silent := 0, false
		for e := range events {
			if isSilence(e) {
				silent = true
			} else {
				seen++
				s.note(e, seen == 1)
			}
			if !yield(e) {
				break
			}
		}
		s.mu.Lock()
		s.silent = silent && seen == 0
		s.mu.Unlock()
	}
}

// isSilence reports whether an event only says that the agent is silent. Such events
// do not come from the agent.
func isSilence(e agent.Event) bool {
	h, ok := e.(*agent.Hint)
	return ok && h.Line == 0 && lint.IsMisuse(h.Rule)
}

// note updates whom the turn is waiting for. Frequent events matter only if they are
// the first in a batch.
func (s *session) note(e agent.Event, first bool) {
	switch e := e.(type) {
	case *agent.ConfirmationRequested:
		s.addRequest(asked{confirmation, e.ConfirmationID, e.ToolCallID})
	case *agent.QuestionAsked:
		s.addRequest(asked{question, e.QuestionID, ""})
	case *agent.EditorRequested:
		s.addRequest(asked{editor, e.RequestID, ""})
	case *agent.ToolRequested:
		if e.ToolName != tools.AskUser && e.ToolName != tools.UpdatePlan { // these have no end
			s.addRequest(asked{tool, e.ToolCallID, ""})
		}
	case *agent.ToolEnd:
		s.answered(asked{tool, e.ToolCallID, ""})
	case *agent.ConfirmationResolved:
		s.answered(asked{confirmation, e.ConfirmationID, e.ToolCallID})
	case *agent.QuestionAnswered:
		s.answered(asked{question, e.QuestionID, ""})
	case *agent.Done:
		s.ends(e.TurnID, true)
	case *agent.Error:
		if e.Fatal == nil || *e.Fatal {
			// The agent may have to be restarted.
			s.ends(e.TurnID, false)
		}
	default:
		if first {
			s.mu.Lock()
			s.received = true
			s.mu.Unlock()
		}
	}
}

func (s *session) addRequest(a asked) {
	s.set(func() { s.asked[a], s.received = true, true })
}

// ends records the end of the running turn. The end of another turn is late and
// ignored.
func (s *session) ends(turnID string, received bool) {
	s.set(func() {
		if turnID == "" || turnID == s.turn {
			s.turn, s.received = "", received
		}
	})
}

// An asked identifies a request to the user or the editor. A confirmation has its
// own id and its call's; other requests have only an id.
type asked struct {
	kind     kind
	id, call string
}

type kind int

const (
	confirmation kind = iota
	question
	editor
	tool
)

// settles reports whether the answer a settles the request b. A confirmation without
// an id settles all requests about its call.
func (a asked) settles(b asked) bool {
	if a.kind != b.kind {
		return false
	}
	if a.kind != confirmation || a.id != "" && b.id != "" {
		return a.id == b.id
	}
	return a.call == b.call
}
