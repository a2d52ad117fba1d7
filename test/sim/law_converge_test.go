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
		finals := withoutLate(w, w.finals[s.id])
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

var (
	// callLine matches a call in a transcript.
	callLine = regexp.MustCompile(`(?m)^call (\S+) .*\n`)
	// partCall matches the id of Turnwire's own call that writes an accepted part.
	partCall = regexp.MustCompile(`\.part-\d+$`)
)

// withoutLate removes the calls that only some clients may know. A part that was written while its
// turn was cancelled is saved, and shown with the next turn. The calls of a turn that waits for the
// next prompt end there.
func withoutLate(w *World, finals []final) []final {
	var before strings.Builder
	for _, f := range finals {
		if !strings.HasSuffix(f.client, "after") {
			before.WriteString(f.transcript)
		}
	}
	finals = slices.Clone(finals)
	for i, f := range finals {
		finals[i].transcript = callLine.ReplaceAllStringFunc(f.transcript, func(line string) string {
			id := callLine.FindStringSubmatch(line)[1]
			if w.waits(turnOf(id)) || partCall.MatchString(id) && !strings.Contains(before.String(), line) {
				return ""
			}
			return line
		})
	}
	return finals
}
