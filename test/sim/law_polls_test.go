package sim

import (
	"fmt"
	"maps"
	"slices"
)

// pollsLaw: an extension's request without a session goes to the connected clients that may
// answer, and not to observers, nor to clients of other servers. The agent gets one answer: a
// result that a client gave, or an error if no client can answer any more. Each client that was
// asked and has not answered is told that the request is over.
type pollsLaw struct {
	all   map[string]*pollState // by its id
	order []string              // the ids
}

// A pollState is what is known about a request without a session.
type pollState struct {
	by       *actor
	over     bool            // the agent no longer waits
	answered bool            // by Turnwire
	results  map[string]bool // those that clients gave
	asked    map[*client]bool
	settled  map[*client]bool // those that have answered
	must     map[*client]int  // those that must be asked; their roleRequests by then
	mustNot  map[*client]int  // observers; likewise
}

// attaching are the methods that attach a client to a session, or detach it.
var attaching = []string{"session/new", "session/load", "session/resume", "session/attach", "session/fork", "session/detach", "session/close", "session/delete"}

func newPolls() law {
	return &pollsLaw{all: make(map[string]*pollState)}
}

func (*pollsLaw) name() string { return "requests without a session are answered once" }

func (l *pollsLaw) see(w *World, e *event) error {
	switch {
	case e.kind == polled:
		l.poll(w, e)
	case e.kind == desisted:
		l.all[e.subject].over = true
	case e.kind == advised:
		return l.answer(w, e)
	case e.kind == shown && e.request != nil && e.request.method == methodPoll:
		return l.ask(e)
	case e.kind == sent && e.request != nil && e.request.method == methodPoll:
		p := l.all[e.request.poll]
		p.settled[e.client] = true
		if len(e.message.Error) == 0 {
			p.results[string(e.message.Result)] = true
		}
	case e.kind == rested:
		return l.rest(w)
	}
	return nil
}

// poll notes who is asked.
func (l *pollsLaw) poll(w *World, e *event) {
	p := &pollState{
		by: e.actor, results: make(map[string]bool), asked: make(map[*client]bool), settled: make(map[*client]bool),
		must: make(map[*client]int), mustNot: make(map[*client]int),
	}
	l.all[e.subject] = p
	l.order = append(l.order, e.subject)
	for _, c := range w.clients {
		switch may, mayNot := c.mayAnswer(); {
		case !c.isServedBy(p.by) || !c.isConnected():
		case may:
			p.must[c] = c.roleRequests()
		case mayNot:
			p.mustNot[c] = c.roleRequests()
		}
	}
}

// roleRequests counts the client's requests that may make it an observer, or no longer be one.
func (c *client) roleRequests() (n int) {
	for _, one := range c.calls {
		if slices.Contains(attaching, one.method) {
			n++
		}
	}
	return n
}

// mayAnswer reports whether the client may certainly answer a request without a session, and
// whether it certainly may not, because it observes sessions and uses no others.
func (c *client) mayAnswer() (may, mayNot bool) {
	if c.kind == editor || c.kind == watcher {
		return c.kind == editor, c.kind == watcher
	}
	for _, one := range c.calls {
		if one.open && slices.Contains(attaching, one.method) {
			return false, false
		}
	}
	if !slices.Contains(slices.Collect(maps.Values(c.observes)), true) {
		return true, false
	}
	for _, id := range sortedKeys(c.views) {
		if !c.watches(id) {
			return false, false // it depends on whether the session is still open
		}
	}
	return false, true
}

// ask checks a request that a client is shown.
func (l *pollsLaw) ask(e *event) error {
	c, p := e.client, l.all[e.request.poll]
	switch {
	case p == nil: // another law says so
		return nil
	case p.asked[c]:
		return fmt.Errorf("%s is asked %s twice", c.name, e.request.poll)
	}
	if n, observes := p.mustNot[c]; observes && n == c.roleRequests() {
		return fmt.Errorf("%s only observes, but is asked %s", c.name, e.request.poll)
	}
	p.asked[c] = true
	return nil
}

// answer checks the answer that an agent gets.
func (l *pollsLaw) answer(w *World, e *event) error {
	p, by := l.all[e.subject], e.actor.agent.Name
	switch {
	case p == nil || p.by != e.actor:
		return fmt.Errorf("%s gets an answer to %s, which it never asked", by, e.subject)
	case p.answered:
		return fmt.Errorf("%s gets a second answer to %s", by, e.subject)
	}
	withdrawn := p.over
	p.answered, p.over = true, true
	switch {
	case e.allows && !p.results[e.reason]:
		return fmt.Errorf("%s gets the result %s to %s, which no client gave", by, e.reason, e.subject)
	case e.allows || withdrawn || w.stopping:
		return nil
	}
	for _, c := range w.clients {
		n, must := p.must[c]
		if must && n == c.roleRequests() && c.isConnected() && !c.troubled && !p.settled[c] {
			return fmt.Errorf("%s gets an error to %s, but %s could still answer", by, e.subject, c.name)
		}
	}
	return nil
}

// rest checks that nothing is open.
func (l *pollsLaw) rest(w *World) error {
	for _, id := range l.order {
		p := l.all[id]
		if by := p.by; by.ctx.Err() != nil || by.server.killed {
			p.over = true
		} else if !p.answered && !p.mayWait(w) {
			return fmt.Errorf("%s never gets an answer to %s", by.agent.Name, id)
		}
	}
	for _, c := range w.clients {
		for _, r := range c.requests {
			if p := l.all[r.poll]; p != nil && p.over && !r.withdrawn && !c.gone && !c.leaving {
				return fmt.Errorf("%s is not told that %s is over", c.name, r.poll)
			}
		}
	}
	return nil
}

// mayWait reports whether the server may still wait for a client that was disconnected, because its
// connection could repair itself. Its answer may not have arrived before.
func (p *pollState) mayWait(w *World) bool {
	return slices.ContainsFunc(w.clients, func(c *client) bool {
		return c.kind == traveller && c.isServedBy(p.by) && (c.gone || c.leaving)
	})
}

func (*pollsLaw) end(*World) error { return nil }
