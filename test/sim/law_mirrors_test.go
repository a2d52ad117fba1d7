package sim

import (
	"fmt"
	"strings"
)

// mirrorsLaw: AHP clients are shown the agent's text in order and once, and in the end know
// the same text as ACP clients, up to the end of the session on their server. A turn that one
// of them has cancelled ends for them at once, and what its agent still says is not shown.
type mirrorsLaw struct {
	at     map[string]int         // by piece: its position among all
	last   map[*reflection]int    // the position of the last piece that was shown
	finals map[string][]lastImage // by session
	// stopped has the turns that AHP clients have cancelled. If the agent saves them, it also has
	// those that others have cancelled or closed.
	stopped map[string]bool
}

// A lastImage is what an AHP client knows of a session at the end.
type lastImage struct{ mirror, text string }

func newMirrors() law {
	return &mirrorsLaw{make(map[string]int), make(map[*reflection]int), make(map[string][]lastImage), make(map[string]bool)}
}

func (*mirrorsLaw) name() string { return "AHP clients know the same text" }

func (l *mirrorsLaw) see(w *World, e *event) error {
	switch {
	case e.kind == said:
		l.at[e.subject] = len(l.at) + 1
	case e.kind == stopped:
		l.stopped[e.turn] = true
		if s := w.session(e.session); s != nil { // a message for the running turn is shown as another one
			l.stopped[s.running] = true
		}
	case e.kind == cancelled && e.actor.agent.Skills&keeps != 0: // it remembers what it says after that
		l.stopped[e.turn] = true
	case e.kind == sent && e.client.agent.Skills&keeps != 0:
		l.stopTurns(w, cutOffBy(e))
	case e.kind == mirrored:
		r := e.mirror.chats[e.session]
		if r == nil {
			return nil // it has just unsubscribed
		}
		for _, piece := range e.fresh {
			switch at := l.at[piece]; {
			case at == 0:
				return fmt.Errorf("%s is shown %s, which nobody said", e.mirror.name, piece)
			case at <= l.last[r] && w.second != nil && w.hadOutage(): // both servers may have continued the session
			case at <= l.last[r]:
				return fmt.Errorf("%s is shown %s twice, or too late", e.mirror.name, piece)
			default:
				l.last[r] = at
			}
		}
	case e.kind == rested && len(l.finals) == 0:
		for _, m := range w.mirrors {
			for _, id := range sortedKeys(m.chats) {
				if r := m.chats[id]; !m.gone && r.TurnsNextCursor == "" {
					l.finals[id] = append(l.finals[id], lastImage{m.name, "text " + strings.Join(r.pieces, "")})
				}
			}
		}
	}
	return nil
}

// cutOffBy returns the session whose turns a client's message ends, or "".
func cutOffBy(e *event) string {
	switch e.message.Method {
	case "$/cancel_request":
		if c := e.client.calls[string(e.message.params.RequestID)]; c != nil {
			return c.session
		}
	case "session/close":
		return e.message.params.SessionID
	}
	return ""
}

// stopTurns records that all turns of a session may have been cancelled.
func (l *mirrorsLaw) stopTurns(w *World, session string) {
	for turn, of := range w.prompted {
		l.stopped[turn] = l.stopped[turn] || of == session
	}
}

func (l *mirrorsLaw) end(w *World) error {
	for _, s := range w.sessions {
		if s.deleted || s.unclear || s.unsaved || len(w.finals[s.id]) == 0 {
			continue
		}
		for _, image := range l.finals[s.id] {
			if f := w.finals[s.id][0]; !strings.HasPrefix(l.without(f.transcript), l.without(image.text)) {
				return fmt.Errorf("session %s: %s and %s differ:\n%s\n%s", s.id, image.mirror, f.client, image.text, f.transcript)
			}
		}
	}
	return nil
}

// without returns a text without the pieces of cancelled turns.
func (l *mirrorsLaw) without(text string) string {
	return pieceText.ReplaceAllStringFunc(text, func(piece string) string {
		if l.stopped[turnOf(piece)] {
			return ""
		}
		return piece
	})
}
