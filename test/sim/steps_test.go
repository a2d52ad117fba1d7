package sim

import (
	"fmt"
	"maps"
	"time"
)

const cwd = "/work"

// maxClients bounds a world's connections.
const maxClients = 12

// execute runs a step.
func (w *World) execute(s *Step) {
	w.mu.Lock()
	w.step++
	w.story.step(w.step)
	w.mu.Unlock()
	did := ops[s.Op].do(w, s)
	w.mu.Lock()
	if did != "" {
		w.counts[ops[s.Op].name]++
		w.story.did(did)
	}
	w.mu.Unlock()
	if !s.Together {
		w.settle()
		w.settled()
	}
}

// A settler is a law that is notified when all messages have arrived.
type settler interface{ settled() }

// An immediate law promises that something happens at once.
type immediate interface {
	// overdue returns an error if it has not happened although all messages have arrived.
	overdue() error
}

// settled notifies the laws that all messages have arrived, unless a connection is slow.
func (w *World) settled() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.laws {
		if l, ok := l.(settler); ok {
			l.settled()
		}
		if promise, ok := l.(immediate); ok {
			if err := promise.overdue(); err != nil {
				w.failLocked(l.name(), err)
			}
		}
	}
}

// connect connects a client.
func (w *World) connect(s *Step) string {
	if len(w.clients) >= maxClients {
		return ""
	}
	kind := [...]clientKind{editor, remote, remote, remote, remote, watcher}[s.B%6]
	if kind == remote && s.B/6%4 == 0 {
		kind = traveller
	}
	to := w.pick(s.C)
	a := &w.plan.Agents[s.A%uint32(len(w.plan.Agents))] //nolint:gosec // few agents
	if kind == editor && (w.nats != nil || a.Skills&keeps != 0) {
		kind = remote // an editor's own sessions are not shared
	}
	if kind == traveller {
		to = w.server
	}
	can := able[s.C/2%uint32(len(able))] //nolint:gosec // few capabilities
	if s.B/24%2 == 0 {
		can = able[0]
	}
	c := w.connectClient(to, kind, a, can)
	if w.second != nil {
		return c.name + " connects to " + to.name
	}
	return c.name + " connects"
}

func (w *World) connectClient(to *server, kind clientKind, a *agentSpec, can object) *client {
	c := newClient(w, to, kind, a)
	c.can = can
	if meta, _ := can["_meta"].(object); meta["turnwire.dev/turns"] == true {
		c.attaches = true
	}
	c.subagents = can["subagents"] != nil && kind == editor // a hub shows them as calls
	w.mu.Lock()
	w.clients = append(w.clients, c)
	w.mu.Unlock()
	to.connect(c)
	go c.read()
	c.call("initialize", c.greeting())
	return c
}

// withClient turns a client's action into a step's action, for a client that can do it.
func withClient(do func(w *World, c *client, s *Step) string) func(*World, *Step) string {
	return func(w *World, s *Step) string {
		var able []*client
		w.mu.Lock()
		for _, c := range w.clients {
			if !c.gone && !c.leaving && !c.isIdle(s) {
				able = append(able, c)
			}
		}
		w.mu.Unlock()
		if len(able) == 0 {
			return ""
		}
		c := able[s.A%uint32(len(able))] //nolint:gosec // few clients
		did := do(w, c, s)
		if did != "" {
			did = c.name + " " + did
		}
		return did
	}
}

// isIdle reports whether a step would have no effect for the client, or too seldom an
// interesting one.
func (c *client) isIdle(s *Step) bool {
	switch s.Op {
	case opAnswer, opRace:
		return len(c.requests) == 0
	case opPrompt:
		return s.C%8 > 0 && len(c.views) == 0
	case opStarve: // only editors slow their agents down
		return s.C/8%8 > 0 && c.kind != editor || len(c.views) == 0
	default:
		return false
	}
}

// withSession is like withClient, for an action on a session that the client is usually
// attached to.
func withSession(do func(w *World, c *client, id string, s *Step) string) func(*World, *Step) string {
	return withClient(func(w *World, c *client, s *Step) string {
		var ids []string
		w.mu.Lock()
		for _, one := range w.sessions {
			attached := c.views[one.id] != nil
			reopens := s.Op == opLoad || s.Op == opResume || s.Op == opAttach
			if one.agent == c.agent && (attached != reopens || s.C%8 == 0) {
				ids = append(ids, one.id)
			}
		}
		w.mu.Unlock()
		if len(ids) == 0 {
			return ""
		}
		return do(w, c, ids[s.B%uint32(len(ids))], s) //nolint:gosec // few sessions
	})
}

func newSession(w *World, c *client, _ *Step) string {
	c.call("session/new", object{"cwd": w.cwdOf(c.agent), "mcpServers": []string{}})
	return "opens a session"
}

func prompt(w *World, c *client, id string, _ *Step) string {
	w.mu.Lock()
	c.prompts++
	token := fmt.Sprintf("P%d.%d", c.number, c.prompts)
	w.mu.Unlock()
	params := object{"sessionId": id, "prompt": []object{{"type": "text", "text": token}}}
	if c.agent.Skills&forgets != 0 {
		params["_meta"] = object{"turnwire.dev/messageId": token}
	}
	c.call("session/prompt", params)
	return "prompts " + token
}

func callSession(method string, params object) func(*World, *client, string, *Step) string {
	return func(w *World, c *client, id string, _ *Step) string {
		with := maps.Clone(params)
		if with["cwd"] != nil {
			with["cwd"] = w.cwdOf(c.agent)
		}
		with["sessionId"] = id
		c.call(method, with)
		return method
	}
}

// closeSession closes a session. Some clients prompt it afterwards.
func closeSession(w *World, c *client, id string, s *Step) string {
	did := callSession("session/close", object{})(w, c, id, s)
	if s.C%2 == 0 {
		w.settle()
		did += ", and " + prompt(w, c, id, s)
	}
	return did
}

// fork forks an open session. Often, a turn runs in it.
func fork(w *World, c *client, id string, s *Step) string {
	w.mu.Lock()
	v, troubled := c.views[id], c.troubled
	w.mu.Unlock()
	if troubled || v == nil || !v.ready {
		return ""
	}
	return callSession("session/fork", object{"cwd": cwd, "mcpServers": []string{}})(w, c, id, s)
}

func attach(w *World, c *client, id string, s *Step) string {
	role := [...]string{"controller", "observer"}[s.C/8%2]
	return callSession("session/attach", object{"role": role, "historyPolicy": "none"})(w, c, id, s)
}

// detach detaches from a session, in half of the cases from one that asks the client.
func detach(w *World, c *client, id string, s *Step) string {
	if of := c.requestOf(s); of != nil && s.C/8%2 == 0 {
		id = of.session
	}
	return callSession("session/detach", object{})(w, c, id, s)
}

// wait lets time pass.
func (w *World) wait(s *Step) string {
	d := time.Duration(1+s.B%4000) * time.Millisecond
	time.Sleep(d + w.latency())
	return d.String() + " pass"
}

// pause lets a long time pass. The server keeps a lost connection for ten minutes.
func (w *World) pause(s *Step) string {
	d := time.Duration(1+s.B%60) * time.Minute
	time.Sleep(d + w.latency())
	if d > 9*time.Minute {
		w.forgetTravellers()
	}
	return d.String() + " pass"
}
