package sim

import (
	"fmt"
	"strings"
)

// savedLaw: a server tells clients once that a session can no longer be saved, and only if
// that is so.
type savedLaw struct {
	told map[*view]int // the number of the server that told it, from 1
}

func newSaved() law { return &savedLaw{make(map[*view]int)} }

func (*savedLaw) name() string { return "a full disk is reported once" }

func (l *savedLaw) see(w *World, e *event) error {
	if e.kind != shown || !strings.Contains(e.message.params.Update.Content.Text, "This session is no longer saved") {
		return nil
	}
	v, s := e.client.views[e.session], w.session(e.session)
	switch {
	case v == nil || s == nil || v.unclear: // or it is told what it was told before
	case !s.unsaved:
		return fmt.Errorf("%s is told that session %s can't be saved, but the disk had room", e.client.name, s.id)
	case l.told[v] == len(w.old)+1:
		return fmt.Errorf("%s is told again that session %s can't be saved", e.client.name, s.id)
	default:
		l.told[v] = len(w.old) + 1
	}
	return nil
}

func (*savedLaw) end(*World) error { return nil }
