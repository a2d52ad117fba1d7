package sim

import "fmt"

// callsEnd: each tool call ends before its turn's prompt is answered. ACP doesn't say which
// prompt a call belongs to, so a relayed agent's calls end with the last running prompt of
// the session. If the agent waits for an answer in the next prompt, its calls end later.
type callsEnd struct{}

func newCallsEnd() law { return callsEnd{} }

func (callsEnd) name() string { return "tool calls end before their turn's answer" }

func (l callsEnd) see(w *World, e *event) error {
	switch {
	case e.kind == rested:
		for _, c := range w.clients {
			for _, id := range sortedKeys(c.views) {
				for _, turn := range sortedKeys(w.paused) {
					if w.waits(turn) {
						continue // for Turnwire, the turn goes on
					}
					if err := l.check(w, c, id, turn); err != nil {
						return err
					}
				}
			}
		}
	case e.kind == shown && e.call != nil && e.turn != "" && !isGoing(e) && !w.pauses(e.turn):
		return l.check(w, e.client, e.session, e.turn)
	}
	return nil
}

// check returns an error if a turn's calls have not ended for a client.
func (callsEnd) check(w *World, c *client, session, turn string) error {
	v := c.views[session]
	if c.gone || v == nil || v.unclear || w.shared[turn] {
		return nil
	}
	if open := v.open(turn); len(open) > 0 {
		return fmt.Errorf("the turn %s has ended for %s, but its calls %v are open", turn, c.name, open)
	}
	return nil
}

// isGoing reports whether a response only says that the client's connection is closing.
// The turn continues, or ends with the server.
func isGoing(e *event) bool {
	return e.client.kind != editor && (len(e.message.Error) > 0 && e.client.leaving || e.message.isEnding())
}

func (callsEnd) end(*World) error { return nil }
