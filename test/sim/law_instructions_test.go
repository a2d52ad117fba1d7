package sim

import (
	"fmt"
	"strings"
)

// instructionsLaw: an agent that uses instructions gets those that the client gave when it opened
// the session, before the first turn. It gets no others.
type instructionsLaw struct {
	given    map[string]string          // by session
	got      map[string]map[string]bool // by session
	reopened map[string]bool            // by session: it was perhaps opened again
}

func newInstructions() law {
	return &instructionsLaw{make(map[string]string), make(map[string]map[string]bool), make(map[string]bool)}
}

func (*instructionsLaw) name() string { return "instructions reach the agent" }

func (l *instructionsLaw) see(w *World, e *event) error {
	switch {
	case e.kind == instructed:
		if l.got[e.session] == nil {
			l.got[e.session] = make(map[string]bool)
		}
		l.got[e.session][e.reason] = true
	case e.kind == shown && e.call != nil && e.call.method == "session/new" && len(e.message.Error) == 0:
		l.given[e.message.result.SessionID] = e.call.instructs
	case e.kind == sent && e.session != "" && e.message.Method != "session/prompt":
		l.reopened[e.session] = l.reopened[e.session] || strings.HasPrefix(e.message.Method, "session/")
	case e.kind == began && e.actor.agent.Skills&learns != 0 && w.stops == 0 && !l.reopened[e.session] && l.given[e.session] != "" && !l.got[e.session][l.given[e.session]]:
		return fmt.Errorf("%s begins %s without the instructions %q", e.actor.agent.Name, e.turn, l.given[e.session])
	}
	return nil
}

func (l *instructionsLaw) end(w *World) error {
	for _, id := range sortedKeys(l.got) {
		root := w.session(id)
		for root != nil && root.parent != "" {
			root = w.session(root.parent)
		}
		for text := range l.got[id] {
			if root != nil && text != l.given[root.id] {
				return fmt.Errorf("the agent of %s gets the instructions %q instead of %q", id, text, l.given[root.id])
			}
		}
	}
	return nil
}

// instructions returns the instructions in the params of session/new.
func (p *params) instructions() string {
	var texts []string
	for _, c := range p.System.Content {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "\n\n")
}

// learn saves something for the agent's next process.
func (t *turn) learn() {
	t.write(line(object{"type": "state", "state": object{"turn": t.token}}))
}
