package sim

import (
	"fmt"
	"strings"
)

// savedLaw: clients are told once that a session can no longer be saved, and only if that is
// so. A session that is opened again, because its server or its agent has ended, or by its
// editor, is saved again if that is possible.
type savedLaw struct {
	told   map[*view]int // how often
	deaths int           // how many agents have ended
}

func newSaved() law { return &savedLaw{told: make(map[*view]int)} }

func (*savedLaw) name() string { return "a full disk is reported once" }

func (l *savedLaw) see(w *World, e *event) error {
	if e.kind == died {
		l.deaths++
	}
	if c := e.call; e.kind == shown && c != nil && c.method == "session/resume" && e.client.kind == editor {
		delete(l.told, e.client.views[e.session]) // even if the editor had opened it already
	}
	if e.kind != shown || !strings.Contains(e.message.params.Update.Content.Text, "This session is no longer saved") {
		return nil
	}
	v, s := e.client.views[e.session], w.session(e.session)
	switch {
	case v == nil || s == nil || v.unclear || s.parent != "": // or the history repeats it
	case s.agent.Skills&keeps != 0 && w.hadOutage(): // only its agent could open it then
	case !s.unsaved:
		return fmt.Errorf("%s is told that session %s can't be saved, but the disk had room", e.client.name, s.id)
	case l.told[v] > len(w.old)+l.deaths:
		return fmt.Errorf("%s is told again that session %s can't be saved", e.client.name, s.id)
	default:
		l.told[v]++
	}
	return nil
}

func (*savedLaw) end(*World) error { return nil }
