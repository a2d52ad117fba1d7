package sim

import "fmt"

// callsEnd: each tool call ends before its turn's prompt is answered. ACP doesn't say which
// prompt a call belongs to, so a relayed agent's calls end with the last running prompt of
// the session. An agent that waits for an answer in the next prompt ends its calls with that
// prompt.
type callsEnd struct {
	paused map[string][]string // by session: the turns that wait for the next prompt
}

func newCallsEnd() law { return callsEnd{make(map[string][]string)} }

func (callsEnd) name() string { return "tool calls end before their turn's answer" }

func (l callsEnd) see(w *World, e *event) error {
	if e.kind != shown || e.call == nil || e.turn == "" {
		return nil
	}
	v := e.client.views[e.session]
	if v == nil || v.unclear || w.shared[e.turn] || isGoing(e) {
		return nil
	}
	turns := append(l.paused[e.session], e.turn) //nolint:gocritic // stored below
	if l.paused[e.session] = turns; w.paused[e.turn] {
		return nil
	}
	delete(l.paused, e.session)
	for _, turn := range turns {
		if open := v.open(turn); len(open) > 0 {
			return fmt.Errorf("%s is answered %s, but the calls %v are open", e.client.name, e.turn, open)
		}
	}
	return nil
}

// isGoing reports whether a response only says that the client's connection is closing.
// The turn continues, or ends with the server.
func isGoing(e *event) bool {
	return e.client.kind != editor && (len(e.message.Error) > 0 && e.client.leaving || e.message.isEnding())
}

func (callsEnd) end(*World) error { return nil }
