package sim

import "fmt"

// separateMessages: the texts of two turns are two messages.
type separateMessages struct {
	turns map[*view]map[string]string // by view and message id: the turn
}

func newSeparateMessages() law { return &separateMessages{make(map[*view]map[string]string)} }

func (*separateMessages) name() string { return "turns have messages of their own" }

func (l *separateMessages) see(w *World, e *event) error {
	if e.kind != shown || len(e.fresh) == 0 || e.message.params.Update.MessageID == "" {
		return nil
	}
	v, id := e.client.views[e.session], e.message.params.Update.MessageID
	if s := w.session(e.session); v == nil || s != nil && s.unsaved { // the ids of a turn that was not saved are used again
		return nil
	}
	if l.turns[v] == nil {
		l.turns[v] = make(map[string]string)
	}
	for _, piece := range e.fresh {
		turn := turnOf(piece)
		if first := l.turns[v][id]; first != "" && first != turn {
			return fmt.Errorf("%s is shown texts of %s and %s in the message %s", e.client.name, first, turn, id)
		}
		l.turns[v][id] = turn
	}
	return nil
}

func (*separateMessages) end(*World) error { return nil }
