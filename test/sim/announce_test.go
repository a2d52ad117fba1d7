package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// The methods of an extension that belong to no session.
const (
	methodEvent = "_vendor/event"
	methodPoll  = "_vendor/ask"
)

// pollPrefix begins the ids of an agent's requests without a session.
const pollPrefix = "poll-"

// A poll is an agent's request without a session.
type poll struct {
	answered chan struct{} // closed at the first answer
	closed   bool          // it was answered or withdrawn
}

// announce sends events without a session between pieces of text, or a request without one.
func (t *turn) announce() {
	if t.skilled.IntN(3) == 0 {
		t.poll()
		return
	}
	for range 1 + t.skilled.IntN(4) {
		if t.isOver() {
			return
		}
		e := &event{kind: announced, actor: t.actor, turn: t.token}
		t.log(e, func() string {
			return line(object{"jsonrpc": "2.0", "method": methodEvent, "params": object{"announcement": e.subject}})
		})
		if t.skilled.IntN(2) == 0 {
			t.piece("")
		}
	}
}

// poll makes a request without a session. The agent waits for the answer, or goes on at once,
// or withdraws the request after a while.
func (t *turn) poll() {
	if t.isOver() {
		return
	}
	c, one := t.actor, &poll{answered: make(chan struct{})}
	c.mu.Lock()
	id := fmt.Sprintf("%s%d.%d", pollPrefix, c.number, len(c.polls)+1)
	c.polls[id] = one
	c.mu.Unlock()
	t.log(&event{kind: polled, actor: c, turn: t.token, subject: id}, func() string {
		return line(object{"jsonrpc": "2.0", "id": id, "method": methodPoll, "params": object{"poll": id}})
	})
	switch t.skilled.IntN(4) {
	case 0:
	case 1:
		if t.pause(2e9); t.isOver() {
			return
		}
		c.mu.Lock()
		done := one.closed
		one.closed = true
		c.mu.Unlock()
		if done {
			return
		}
		t.log(&event{kind: desisted, actor: c, turn: t.token, subject: id}, func() string {
			return line(object{"jsonrpc": "2.0", "method": "$/cancel_request", "params": object{"requestId": id}})
		})
	default:
		select {
		case <-one.answered:
		case <-t.received():
			t.finish("cancelled")
		case <-c.ctx.Done():
		}
	}
}

// advised handles the answer to a request without a session.
func (c *actor) advised(id string, m *message) {
	c.world.see(&event{kind: advised, actor: c, subject: id, allows: len(m.Error) == 0, reason: string(m.Result)})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrote = time.Now()
	one := c.polls[id]
	if one == nil {
		return // a law says so
	}
	one.closed = true
	select {
	case <-one.answered:
	default:
		close(one.answered)
	}
}

// isPolling reports whether a request without a session waits for an answer. The caller holds
// the lock.
func (c *actor) isPolling() bool {
	for _, one := range c.polls {
		if !one.closed {
			return true
		}
	}
	return false
}

// answerPoll answers a request without a session. Many clients don't know its method.
func (c *client) answerPoll(of *request, s *Step) string {
	answer := object{"id": json.RawMessage(of.id), "result": object{"by": c.name, "poll": of.poll}}
	did := "answers " + of.poll
	if s.C%5 < 2 {
		delete(answer, "result")
		answer["error"] = object{"code": -32601, "message": c.name + " doesn't know " + of.poll}
		did = "refuses " + of.poll
	}
	c.write(answer)
	return did
}

// isServedBy reports whether a program of an agent works for the client: it is the editor's own, or
// that of the client's server.
func (c *client) isServedBy(a *actor) bool {
	if c.kind == editor || a.owner != nil {
		return a.owner == c
	}
	return a.agent == c.agent && (a.server == c.server || c.kind == traveller && c.forgets > 0)
}

// isConnected reports whether the client is certainly connected to its server, which still knows
// what the client has received.
func (c *client) isConnected() bool {
	return c.greeted && !c.gone && !c.leaving && c.forgets == 0
}

// teachAnnouncing lets a few agents send events and requests without a session.
func (p *Plan) teachAnnouncing(r *rand.Rand) {
	for i := range p.Agents {
		if a := &p.Agents[i]; possible[a.Kind]&announces != 0 && r.IntN(6) == 0 {
			a.Skills |= announces
			p.Steps = slices.Insert(p.Steps, 0, Step{Op: opArrive, A: uint32(i), B: r.Uint32(), C: r.Uint32()}, Step{Op: opNew}) //nolint:gosec // few agents
		}
	}
}

// insertPolls adds prompts, and clients that answer or only watch.
func (p *Plan) insertPolls(r *rand.Rand) {
	for range 3 + r.IntN(4) {
		at := 3 + r.IntN(len(p.Steps)-3)
		p.Steps = slices.Insert(p.Steps, at, randomStep(r, opPrompt), randomStep(r, opWait), randomStep(r, opAnswer), randomStep(r, opAnswer))
	}
	for range 1 + r.IntN(3) {
		p.insertOne(r, randomStep(r, [...]op{opLoad, opConnect, opAttach}[r.IntN(3)]))
	}
}
