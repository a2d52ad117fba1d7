package sim

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// unseenLaw: what an agent says is saved soon, no matter which client follows the session. So it is
// there after everything was killed.
type unseenLaw struct {
	said    map[*server][]*saidPiece
	stopped map[string]bool // by turn: someone may have cancelled it, so that what follows is dropped
	kept    []*saidPiece    // said long enough before a server was killed
}

// A saidPiece is a piece of an agent's text.
type saidPiece struct {
	by                  *actor
	session, turn, text string
	at                  time.Time
}

// savedWithin is how long it may take until what an agent says is saved, if the disk is fast.
const savedWithin = 2 * time.Second

func newUnseen() law {
	return &unseenLaw{said: make(map[*server][]*saidPiece), stopped: make(map[string]bool)}
}

func (*unseenLaw) name() string { return "what nobody sees is saved" }

func (l *unseenLaw) see(w *World, e *event) error {
	s := w.session(e.session)
	switch {
	case e.kind == said && !l.stopped[e.turn] && s != nil && !w.isEdited(e.session):
		by := e.actor.server
		l.said[by] = append(l.said[by], &saidPiece{e.actor, e.session, e.turn, e.subject, time.Now()})
	case e.kind == died: // what it had just said may not have arrived
		by := e.actor.server
		l.said[by] = slices.DeleteFunc(l.said[by], func(p *saidPiece) bool { return p.by == e.actor && time.Since(p.at) < savedWithin })
	case e.kind == cancelled:
		l.stopped[e.turn] = true
	case e.kind == sent && slices.Contains(cancelling, e.message.Method), e.kind == stopped:
		l.stop(w, e.session)
	case e.kind == sent && e.message.Method == "$/cancel_request":
		if c := e.client.calls[string(e.message.params.RequestID)]; c != nil {
			l.stop(w, c.session)
		}
	case e.kind == slain && w.isPrompt() && !w.full && w.emptied == 0:
		l.kept = append(l.kept, l.said[e.server]...)
		l.kept = slices.DeleteFunc(l.kept, func(p *saidPiece) bool { return time.Since(p.at) < savedWithin })
		delete(l.said, e.server)
	}
	return nil
}

// stop records that a session's turns may be cancelled, also those that wait.
func (l *unseenLaw) stop(w *World, session string) {
	for turn, of := range w.prompted {
		l.stopped[turn] = l.stopped[turn] || of == session
	}
}

// isEdited reports whether an editor follows a session: it has its own process, which waits while
// the editor doesn't read. The caller holds the lock.
func (w *World) isEdited(session string) bool {
	return slices.ContainsFunc(w.clients, func(c *client) bool { return c.kind == editor && c.views[session] != nil })
}

func (l *unseenLaw) end(w *World) error {
	for _, p := range l.kept {
		s, finals := w.session(p.session), withoutLate(w, w.finals[p.session])
		if s.deleted || s.unclear || s.unsaved || s.agent.Skills&keeps != 0 || len(finals) == 0 || l.stopped[p.turn] {
			continue
		}
		if !strings.Contains(finals[0].transcript, p.text) {
			return fmt.Errorf("session %s: %s was said %v before a server was killed, and is lost", p.session, p.text, savedWithin)
		}
	}
	return nil
}
