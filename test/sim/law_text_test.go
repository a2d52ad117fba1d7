package sim

import (
	"fmt"
	"slices"
)

// textOnce: an agent's text reaches each client in order and once. If the turn wasn't
// cancelled, all of it arrives before the prompt's response.
type textOnce struct {
	said  map[string][]string // by turn
	at    map[string]int      // by piece: its position among all
	of    map[string]string   // by piece: the session in which it was said
	last  map[*view]int       // the position of the last piece that was shown
	views map[*call]*view     // the view through which a prompt was made
	made  map[string]*view    // by turn: that view, if its client was attached
}

func newTextOnce() law {
	return &textOnce{make(map[string][]string), make(map[string]int), make(map[string]string), make(map[*view]int), make(map[*call]*view), make(map[string]*view)}
}

func (*textOnce) name() string { return "text reaches clients in order and once" }

func (l *textOnce) see(w *World, e *event) error {
	switch {
	case e.kind == said:
		l.said[e.turn] = append(l.said[e.turn], e.subject)
		l.at[e.subject] = len(l.at) + 1
		l.of[e.subject] = e.session
	case e.kind == sent && e.call != nil && e.turn != "":
		l.views[e.call] = e.client.views[e.session]
		if v := l.views[e.call]; v != nil && v.ready {
			l.made[e.turn] = v
		}
	case e.kind == shown && e.call != nil && e.message.result.StopReason == "end_turn":
		v := e.client.views[e.session]
		if v == nil || v.unclear || v != l.views[e.call] || v.isLeaving() {
			return nil
		}
		for _, piece := range l.said[e.turn] {
			if !slices.Contains(v.pieces, piece) {
				return fmt.Errorf("%s is answered, but was never shown %s", e.client.name, piece)
			}
		}
	case e.kind == shown:
		v := e.client.views[e.session]
		if v == nil || v.unclear {
			return nil
		}
		for _, piece := range e.fresh {
			at, of := l.at[piece], l.of[piece]
			switch {
			case at == 0:
				return fmt.Errorf("%s is shown %s, which nobody said", e.client.name, piece)
			case !w.isPartOf(e.session, of):
				return fmt.Errorf("%s is shown %s of session %s in session %s", e.client.name, piece, of, e.session)
			case at <= l.last[v]:
				return fmt.Errorf("%s is shown %s twice, or too late", e.client.name, piece)
			}
			l.last[v] = at
		}
		return l.checkPrompt(e, v)
	}
	return nil
}

// checkPrompt returns an error if a client gets a prompt twice, or its own prompt while it
// was attached, unless its agent repeats it.
func (l *textOnce) checkPrompt(e *event, v *view) error {
	u := &e.message.params.Update
	if u.Type != "user_message_chunk" || u.Content.Text == "" { // or an image
		return nil
	}
	own := l.made[u.Content.Text] == v && !e.client.agent.echoes(u.Content.Text)
	if own || v.prompts[u.Content.Text] > 1 {
		return fmt.Errorf("%s is shown the prompt %s again", e.client.name, u.Content.Text)
	}
	return nil
}

func (*textOnce) end(*World) error { return nil }
