package sim

import "fmt"

// turnsEnd: no turn stays active for AHP clients.
type turnsEnd struct{}

func newTurnsEnd() law { return turnsEnd{} }

func (turnsEnd) name() string { return "turns end for AHP clients" }

func (turnsEnd) see(w *World, e *event) error {
	if e.kind != rested {
		return nil
	}
	for _, m := range w.mirrors {
		for _, id := range sortedKeys(m.chats) {
			if turn := m.chats[id].ActiveTurn; turn != nil && !m.gone && w.session(id) != nil && !w.session(id).deleted {
				return fmt.Errorf("%s sees the turn %s of %s without an end", m.name, turn.Message.Text, id)
			}
		}
	}
	return nil
}

func (turnsEnd) end(*World) error { return nil }
