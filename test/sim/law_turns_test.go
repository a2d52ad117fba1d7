package sim

import (
	"fmt"
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// turnsEnd: no turn stays active for AHP clients. But a question that an agent asks outside of
// its turns is shown in a turn that lasts until somebody answers.
type turnsEnd struct{}

func newTurnsEnd() law { return turnsEnd{} }

func (turnsEnd) name() string { return "turns end for AHP clients" }

func (turnsEnd) see(w *World, e *event) error {
	if e.kind != rested {
		return nil
	}
	for _, m := range w.mirrors {
		for _, id := range sortedKeys(m.chats) {
			if turn := m.chats[id].ActiveTurn; turn != nil && !isQuestion(turn) && !m.gone && w.session(id) != nil && !w.session(id).deleted {
				return fmt.Errorf("%s sees the turn %s of %s without an end", m.name, turn.Message.Text, id)
			}
		}
	}
	return nil
}

// isQuestion reports whether a turn that no prompt started has an open question.
func isQuestion(t *ahp.Turn) bool {
	return t.Message.Text == "" && slices.ContainsFunc(t.ResponseParts, func(p ahp.Part) bool { return p.Request != nil && p.Response == "" })
}

func (turnsEnd) end(*World) error { return nil }
