package events

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// children are the sub-agents of a turn. Every editor sees a sub-agent as a call of its
// parent. An editor that supports sub-agent sessions also gets a session that shows the
// sub-agent's own calls. The session's id derives from the ids of its parent and its
// call, so it is the same when the session is loaded.
type children struct {
	root   string               // the parent session
	apart  bool                 // the editor supports sub-agent sessions; otherwise root shows everything
	places map[string]place     // by call id: sub-agents and the calls below them
	open   map[string]int       // by session: the number of open calls that the session shows
	ended  map[string]addressed // by sub-agent session: the update that reports an ended sub-agent as idle
}

// A place records the session that shows a call, and the session that shows its child
// calls.
type place struct {
	shown string
	below string
	child bool // the call is a sub-agent
	ended bool
}

func newChildren(root string, apart bool) *children {
	c := &children{root: root, apart: apart}
	if apart {
		c.places, c.open, c.ended = make(map[string]place), make(map[string]int), make(map[string]addressed)
	}
	return c
}

// begin forgets the previous turn's sub-agents.
func (c *children) begin() {
	clear(c.places)
	clear(c.open)
	clear(c.ended)
}

// of returns the session that shows a call.
func (c *children) of(t *normalize.Tool) string {
	if t == nil {
		return c.root
	}
	return c.shows(t.ID)
}

// shows returns the session that shows the call with an id.
func (c *children) shows(id string) string {
	if p, ok := c.places[id]; ok {
		return p.shown
	}
	return c.root
}

// below returns the session that shows the child calls of parent.
func (c *children) below(parent string) string {
	if p, ok := c.places[parent]; ok {
		return p.below
	}
	return c.root
}

// show sends a step's updates to their session, together with the updates about
// sub-agents. A call never moves to another session.
func (c *children) show(step normalize.Step, updates []v1.Update, send func(addressed)) {
	if !c.apart {
		for _, u := range updates {
			send(addressed{c.root, u})
		}
		return
	}
	t := step.Tool
	if t != nil && step.First {
		if at := c.below(t.Parent); at != c.root {
			c.places[t.ID] = place{shown: at, below: at}
			c.open[at]++
		}
	}
	at := c.of(t)
	end, ends := step.Event.(*agent.SubagentEnd)
	if ends && c.places[t.ID].child {
		c.tell(at, t, end, send)
	}
	for _, u := range updates {
		send(addressed{at, u})
	}
	switch e := step.Event.(type) {
	case *agent.SubagentStart:
		if c.announce(at, t, e, send) {
			if task := acpmap.SubagentTask(e, at, c.below(t.ID)); task != nil {
				send(addressed{c.below(t.ID), task})
			}
		}
	case *agent.SubagentEnd:
		if c.announce(at, t, e, send) {
			c.tell(at, t, end, send)
		}
	}
	c.end(step, at, send)
}

// announce reports a call as a sub-agent to the client, unless it is known as one. It
// returns false if it is.
func (c *children) announce(at string, t *normalize.Tool, e agent.Event, send func(addressed)) bool {
	if c.places[t.ID].child {
		return false
	}
	if _, known := c.places[t.ID]; !known {
		c.open[at]++
	}
	child := c.root + "/" + t.ID
	c.places[t.ID] = place{shown: at, below: child, child: true}
	send(addressed{at, acpmap.Subagent(e, child)})
	return true
}

// tell shows a sub-agent's result.
func (c *children) tell(at string, t *normalize.Tool, e *agent.SubagentEnd, send func(addressed)) {
	child := c.below(t.ID)
	if result := acpmap.SubagentResult(e, at, child); result != nil {
		send(addressed{child, result})
	}
}

// end marks the step's call as ended. It reports a sub-agent as idle if the agent ended
// it, or else when the calls below it have ended too.
func (c *children) end(step normalize.Step, at string, send func(addressed)) {
	t := step.Tool
	if t == nil || !t.Status.Terminal() {
		return
	}
	p, ok := c.places[t.ID]
	if !ok || p.ended {
		return
	}
	p.ended = true
	c.places[t.ID] = p
	c.open[at]--
	if p.child {
		c.ended[p.below] = addressed{at, acpmap.SubagentIdle(step, p.below)}
		if _, isEnd := step.Event.(*agent.SubagentEnd); isEnd || c.open[p.below] <= 0 {
			c.idle(p.below, send)
		}
	}
	if c.open[at] <= 0 {
		c.idle(at, send)
	}
}

// idle reports a sub-agent as idle, if it has ended.
func (c *children) idle(child string, send func(addressed)) {
	if idle, ok := c.ended[child]; ok {
		delete(c.ended, child)
		send(idle)
	}
}
