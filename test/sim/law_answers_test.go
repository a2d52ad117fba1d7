package sim

import (
	"encoding/json"
	"fmt"
)

// oneAnswer: each of a client's requests is answered exactly once, unless its connection
// broke. If a client ends its output, the time for that is limited, and so it may run out while
// a slow store saves what comes before the answer.
type oneAnswer struct{ answered map[*call]bool }

func newOneAnswer() law { return &oneAnswer{make(map[*call]bool)} }

func (*oneAnswer) name() string { return "each request of a client is answered once" }

func (l *oneAnswer) see(w *World, e *event) error {
	switch {
	case e.kind == shown && e.message.Method == "" && e.call == nil && e.client.refusals > 0 && len(e.message.Error) > 0 && !isRequestID(e.message.ID):
		e.client.refusals--
	case e.kind == shown && e.message.Method == "":
		if e.call == nil {
			return fmt.Errorf("%s gets an answer to a request that it never made: %s", e.client.name, e.message.line)
		}
		if l.answered[e.call] {
			return fmt.Errorf("%s gets a second answer: %s", e.client.name, e.message.line)
		}
		l.answered[e.call] = true
	case e.kind == ended && e.client.leaving && !e.client.troubled && !w.stopping && w.isPrompt():
		return l.check(e.client)
	case e.kind == rested:
		for _, c := range w.clients {
			if c.gone {
				continue
			}
			if err := l.check(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// check returns an error if a client waits for an answer.
func (l *oneAnswer) check(c *client) error {
	for _, id := range sortedKeys(c.calls) {
		if one := c.calls[id]; !l.answered[one] {
			return fmt.Errorf("%s never gets an answer to its request %s (%s)", c.name, id, one.method)
		}
	}
	return nil
}

func (*oneAnswer) end(*World) error { return nil }

// isRequestID reports whether a response says to which request it belongs.
func isRequestID(id json.RawMessage) bool { return len(id) > 0 && string(id) != "null" }
