package sim

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"
)

// requestOf returns the request that a step of the client is about, or nil.
func (c *client) requestOf(s *Step) *request {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	if len(c.requests) == 0 {
		return nil
	}
	return c.requests[s.B%uint32(len(c.requests))] //nolint:gosec // few requests
}

// answer records a client's own answer to a request.
func (c *client) answer(e *event) {
	for i, r := range c.requests {
		if r.id == string(e.message.ID) {
			e.request, e.session = r, r.session
			if s := c.world.session(r.session); s != nil {
				s.answered = time.Now()
			}
			if of := c.world.edits[r.subject]; of != nil {
				e.part = of.partOf(e.message, r)
			}
			c.requests = append(c.requests[:i:i], c.requests[i+1:]...)
			return
		}
	}
}

// answer answers one of the requests to a client.
func answer(w *World, c *client, s *Step) string {
	of := c.requestOf(s)
	if of == nil {
		return ""
	}
	if e := w.editOf(of); e != nil && s.C%10 < 5 {
		return c.answerEdit(of, e, s)
	}
	if of.method != "session/request_permission" && s.C%10 != 8 {
		return c.respond(of, s)
	}
	result := object{"outcome": object{"outcome": "selected", "optionId": "bogus"}}
	switch n := s.C % 10; {
	case n < 7 && len(of.options) > 0:
		result["outcome"] = object{"outcome": "selected", "optionId": of.options[n%uint32(len(of.options))].ID} //nolint:gosec // few options
		w.accept(inquiryIn(of.line))
	case n == 7:
		result["outcome"] = object{"outcome": "cancelled"}
	case n == 8:
		c.write(object{"id": json.RawMessage(of.id), "error": object{"code": -32603, "message": "the window was closed"}})
		return "refuses " + of.subject
	}
	c.write(object{"id": json.RawMessage(of.id), "result": result})
	return "answers " + of.subject
}

// race answers a request while the same or another client cancels its turn, before or after
// the answer.
func race(w *World, c *client, s *Step) string {
	of := c.requestOf(s)
	if of == nil {
		return ""
	}
	by := []*client{c}
	w.mu.Lock()
	for _, other := range w.clients {
		if other != c && !other.gone && !other.leaving && other.views[of.session] != nil {
			by = append(by, other)
		}
	}
	w.mu.Unlock()
	canceller := by[s.C/2%uint32(len(by))] //nolint:gosec // few clients
	if s.C%2 == 0 {
		cancelTurn(w, canceller, of.session, s)
		return answer(w, c, &Step{B: s.B}) + ", but " + canceller.name + " cancels"
	}
	did := answer(w, c, &Step{B: s.B})
	cancelTurn(w, canceller, of.session, s)
	return did + ", and " + canceller.name + " cancels"
}

func cancelTurn(_ *World, c *client, id string, _ *Step) string {
	c.write(object{"method": "session/cancel", "params": object{"sessionId": id}})
	return "cancels"
}

func cancelRequest(w *World, c *client, s *Step) string {
	var open []string
	w.mu.Lock()
	for _, id := range sortedKeys(c.calls) {
		if c.calls[id].open {
			open = append(open, id)
		}
	}
	w.mu.Unlock()
	if len(open) == 0 {
		return ""
	}
	id := open[s.B%uint32(len(open))] //nolint:gosec // few calls
	c.write(object{"method": "$/cancel_request", "params": object{"requestId": json.RawMessage(id)}})
	return "cancels the request " + id
}

// takeBack answers a request of an agent that reads nothing, and cancels its turn.
func takeBack(w *World, c *client, s *Step) string {
	of := c.requestOf(s)
	if of == nil {
		return ""
	}
	w.mu.Lock()
	var by *actor
	if in := w.session(of.session); in != nil {
		by = in.actor
	}
	w.mu.Unlock()
	if by == nil || by.agent.Kind == aguiAgent {
		return ""
	}
	by.in.setChoked(true)
	did := answer(w, c, &Step{B: s.B, C: s.C})
	if s.C>>8%2 == 0 {
		w.settle() // the answer is being written
	}
	cancelTurn(w, c, of.session, s)
	return did + ", which " + by.agent.Name + " doesn't read, and cancels"
}

// takeBack inserts steps of this kind, and clients that detach, into some worlds. Most of the
// agents read again before they are killed for not reading.
func (p *Plan) takeBack(r *rand.Rand) {
	if r.IntN(3) > 0 {
		return
	}
	for range 1 + r.IntN(5) {
		at := 3 + r.IntN(len(p.Steps)-3)
		p.Steps = slices.Insert(p.Steps, at, Step{Op: opTakeBack, A: r.Uint32(), B: r.Uint32(), C: r.Uint32()})
		if r.IntN(4) > 0 {
			p.Steps = slices.Insert(p.Steps, at+1, Step{Op: opUnchoke, A: r.Uint32()})
		}
		p.insertOne(r, Step{Op: opDetach, A: r.Uint32(), B: r.Uint32(), C: r.Uint32()})
	}
}
