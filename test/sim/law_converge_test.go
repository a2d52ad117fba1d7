package sim

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// convergeLaw: all clients that saw a whole session have the same view of it, which
// session/load also shows, even after a restart. Nothing that a client saw is lost.
type convergeLaw struct {
	shown map[string][]string // by session: the pieces that some client was shown
	known map[string]bool     // the pieces in shown
}

func newConverge() law { return &convergeLaw{make(map[string][]string), make(map[string]bool)} }

func (*convergeLaw) name() string { return "all clients know the same, and nothing is lost" }

func (l *convergeLaw) see(_ *World, e *event) error {
	if e.kind == shown {
		for _, piece := range e.fresh {
			if key := e.session + piece; !l.known[key] {
				l.known[key] = true
				l.shown[e.session] = append(l.shown[e.session], piece)
			}
		}
	}
	return nil
}

func (l *convergeLaw) end(w *World) error {
	for _, s := range w.sessions {
		if s.deleted || s.unclear || s.unsaved {
			continue
		}
		finals := withoutLate(w.finals[s.id])
		for _, f := range finals {
			if s.agent.Skills&keeps != 0 && strings.HasSuffix(f.client, "after") {
				continue // the agent may remember more than it was allowed to say
			}
			if first := finals[0]; f.transcript != first.transcript {
				return fmt.Errorf("session %s: %s and %s differ:\n%s\n%s", s.id, first.client, f.client, first.transcript, f.transcript)
			}
		}
		if len(l.shown[s.id]) == 0 {
			continue
		}
		if len(finals) == 0 || !strings.HasSuffix(finals[len(finals)-1].client, "after") {
			return fmt.Errorf("session %s can't be loaded after a restart", s.id)
		}
		has := finals[0]
		if s.agent.Skills&keeps != 0 {
			has = finals[len(finals)-1]
		}
		for _, piece := range l.shown[s.id] {
			if !strings.Contains(has.transcript, piece) {
				return fmt.Errorf("session %s: %s was shown, and is lost", s.id, piece)
			}
		}
	}
	return nil
}

// partCall matches Turnwire's own call that writes an accepted part.
var partCall = regexp.MustCompile(`(?m)^call \S+\.part-\d+ .*\n`)

// withoutLate removes the calls that nobody was shown before the session was loaded again. A part
// that was written while its turn was cancelled is saved, and shown with the next turn.
func withoutLate(finals []final) []final {
	var before strings.Builder
	for _, f := range finals {
		if !strings.HasSuffix(f.client, "after") {
			before.WriteString(f.transcript)
		}
	}
	finals = slices.Clone(finals)
	for i, f := range finals {
		finals[i].transcript = partCall.ReplaceAllStringFunc(f.transcript, func(call string) string {
			if strings.Contains(before.String(), call) {
				return call
			}
			return ""
		})
	}
	return finals
}
