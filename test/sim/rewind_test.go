package sim

import (
	"github.com/turnwire/turnwire/agent"
)

// A cursor is a position at which a client can fork a session.
type cursor struct {
	id    string
	turn  string // the turn that is not in the fork
	forks bool
}

// noteCursor adds or changes a cursor. The message that it is about was given its turn's token
// as an id, or is shown with another one.
func (v *view) noteCursor(p *params) {
	u := &p.Update
	for i := range v.cursors {
		if v.cursors[i].id == u.CursorID {
			v.cursors[i].forks = u.Capabilities.Fork != nil
			return
		}
	}
	c := cursor{id: u.CursorID, turn: u.Anchor.MessageID, forks: u.Capabilities.Fork != nil}
	if text := v.messages[c.turn]; text != "" {
		c.turn = text
	}
	v.cursors = append(v.cursors, c)
}

// rewind lets a client fork a session before one of its messages.
func (w *World) rewind(s *Step) string {
	type place struct {
		client  *client
		session string
		cursor
	}
	var able []place
	w.mu.Lock()
	for _, c := range w.clients {
		for _, id := range sortedKeys(c.views) {
			for _, at := range c.views[id].cursors {
				if at.forks && c.views[id].ready && !c.gone && !c.leaving && w.session(id) != nil && w.prompted[at.turn] != "" {
					able = append(able, place{c, id, at})
				}
			}
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return ""
	}
	at := able[s.A%uint32(len(able))] //nolint:gosec // few cursors
	c := at.client
	c.before = at.turn
	c.call("session/fork", object{"sessionId": at.session, "cwd": w.cwdOf(c.agent), "mcpServers": []string{}, "cursorId": at.id})
	return c.name + " forks " + at.session + " before " + at.turn
}

// readHistory reads what an agent is told about the time before it started.
func (c *actor) readHistory(t *turn, history []agent.Message) {
	if len(history) == 0 {
		return
	}
	var texts []string
	for _, m := range history {
		if m.Role == agent.RoleUser {
			texts = append(texts, m.Text)
		}
	}
	c.world.see(&event{kind: remembered, actor: c, turn: t.token, texts: texts})
}
