package sim

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// A client is the connection of an editor, or of another client of the server.
type client struct {
	world                *World
	name                 string
	number               int
	kind                 clientKind
	agent                *agentSpec
	server               *server
	can                  object // its capabilities
	streams              bool   // it uses HTTP, with a stream for each session and one for the rest
	toServer, fromServer *pipe
	ctx                  context.Context
	hangUp               func() // closes the connection, as when the token is revoked; nil if that can't happen

	// The world's lock guards the following fields.
	gone      bool
	greeted   bool            // it got the initialize response
	forgets   int             // how often the server may have forgotten the connection of a traveller
	revoked   bool            // its token was revoked
	leaving   bool            // it ended its output
	subagents bool            // it shows sub-agents as sessions
	attaches  bool            // it has used session/attach, or wants to know about others without it
	troubled  bool            // its connection was not always good
	observes  map[string]bool // the sessions that it only observes
	lastID    int
	prompts   int
	before    string // the turn before which it forks a session next
	errs      bool   // its next request makes no sense, and must fail
	terminal  string // the session for which it created a terminal last, or ""
	asked     int    // how many of its requests were unusual
	refusals  int    // how many of its lines made no sense, and get an error without an id
	pages     *pages // what it requests next is a page of them; or nil
	calls     map[string]*call
	views     map[string]*view
	requests  []*request // those of the server, in order, that are unanswered
}

type clientKind int

const (
	editor    clientKind = iota // on stdio: the only client of its source
	remote                      // of a hub
	watcher                     // of a hub, with a token that can only watch
	traveller                   // of a hub, over a network that breaks; its connection repairs itself
)

func (k clientKind) String() string {
	return [...]string{"editor", "remote", "watcher", "traveller"}[k]
}

// A call is a client's request.
type call struct {
	id, method, session string
	turn                string // the token of a prompt
	before              string // the turn before which it forks a session, or ""
	instructs           string // the instructions for a new session
	steers              string // the text of a message for a running turn
	open                bool
	observer            bool   // it attaches as an observer
	watched             bool   // the client may not change the session
	emptied             int    // how often a full disk had got room again
	wrong               bool   // it makes no sense, and must fail
	whole               bool   // it attaches, and the response has the history
	gap                 bool   // something may be missing after the response
	pages               *pages // its response is a page of them; or nil
}

// A request is a request to a client.
type request struct {
	id, session, subject string
	method               string
	options              []option
	terminal             string // that it is about
	poll                 string // the agent's id of a request without a session, or ""
	line                 string
	partial              bool // a part of the change can be accepted
	withdrawn            bool
}

func newClient(w *World, to *server, kind clientKind, a *agentSpec) *client {
	c := &client{
		world: w, number: len(w.clients), kind: kind, agent: a, server: to,
		toServer: newSlowPipe(0, w.latency()), fromServer: newPipe(pipeSize), calls: make(map[string]*call), views: make(map[string]*view), observes: make(map[string]bool),
	}
	c.troubled = kind == traveller
	c.streams = kind == traveller && (w.plan.Seed+uint64(c.number))%3 == 0 //nolint:gosec // it is not negative
	c.ctx = context.Background()
	if kind == remote || kind == watcher {
		var stop context.CancelFunc
		c.ctx, stop = context.WithCancel(c.ctx)
		c.hangUp = func() {
			stop()
			_ = c.fromServer.Close() // never fails
		}
	}
	c.name = fmt.Sprintf("%s%d", kind, c.number)
	return c
}

// read reads lines until the connection ends.
func (c *client) read() {
	for lines := bufio.NewReader(c.fromServer); ; {
		text, err := lines.ReadString('\n')
		if err != nil {
			c.world.see(&event{kind: ended, client: c, rest: text})
			break
		}
		m, err := parse(text)
		if err != nil {
			c.world.fail("lines are messages", err)
			break
		}
		c.world.see(&event{kind: shown, client: c, message: m})
		c.serveFile(m)
	}
	c.toServer.cut()
}

// write sends a message.
func (c *client) write(o object) {
	o["jsonrpc"] = "2.0"
	text := line(o)
	m, err := parse(text)
	if err != nil {
		panic(err) // it is our own
	}
	c.world.see(&event{kind: sent, client: c, message: m})
	_, _ = c.toServer.Write([]byte(text)) // fails once the connection has ended
}

// call sends a request.
func (c *client) call(method string, params object) {
	c.lastID++
	c.write(object{"id": c.lastID, "method": method, "params": params})
}

// observe updates the client's state from an event, before the laws see the event.
func (c *client) observe(e *event) {
	m := e.message
	switch {
	case e.kind == ended:
		c.gone = true
		c.leaveUnclear()
		return
	case e.kind == sent && m.Method == "":
		c.answer(e)
		return
	case e.kind == sent:
		c.addRequest(e)
		return
	case m.Method == "":
		c.answered(e)
		return
	}
	e.session = rootOf(m.params.SessionID)
	switch {
	case m.Method == "session/update":
		c.updated(e)
	case m.isRequest():
		e.request = &request{id: string(m.ID), line: m.line, method: m.Method, session: e.session, subject: original(m.params.ToolCall.ToolCallID), options: m.params.Options, terminal: m.params.TerminalID, poll: m.params.Poll, partial: strings.Contains(m.line, `"turnwire.dev/partial":true`)}
		c.requests = append(c.requests, e.request)
	case m.Method == "$/cancel_request":
		for _, r := range c.requests {
			r.withdrawn = r.withdrawn || r.id == string(m.params.RequestID)
		}
	}
}

// leaveUnclear records the sessions whose deletion was requested but not confirmed.
func (c *client) leaveUnclear() {
	for _, one := range c.calls {
		if s := c.world.session(one.session); s != nil && one.open && one.method == "session/delete" {
			s.unclear = true
		}
	}
}

// rootOf returns the session that a sub-agent's session belongs to.
func rootOf(session string) string {
	root, _, _ := strings.Cut(session, "/")
	return root
}

// updated adds an update to the client's view of the session.
func (c *client) updated(e *event) {
	v := c.views[e.session]
	if v == nil {
		return
	}
	e.fresh = v.add(&e.message.params)
	for _, end := range endings {
		if strings.Contains(e.message.params.Update.Content.Text, end) {
			c.detached(e.session)
		}
	}
}

// detached records that the client is no longer attached to a session. A server remembers
// that it is an observer, but not a restarted one.
func (c *client) detached(session string) {
	delete(c.views, session)
	if c.kind != traveller {
		return
	}
	delete(c.observes, session)
	for _, one := range c.calls {
		if one.session == session {
			one.watched = false
		}
	}
}

// endings are the texts that tell a client that it is no longer attached to a session.
var endings = []string{"> ⚠ This session ended here", "> ✖ This session could not be opened again"}

// original returns the agent's own id of a call. The second use of an id gets a suffix.
func original(call string) string {
	id, _, _ := strings.Cut(call, "#")
	return id
}

// controls reports whether the client may change the session.
func (c *client) controls(session string) bool {
	v := c.views[session]
	return v != nil && v.ready && !c.watches(session) && !c.isBecomingObserver(session)
}

// isBecomingObserver reports whether the client has requested to only observe a session, and
// not read the response.
func (c *client) isBecomingObserver(session string) bool {
	for _, one := range c.calls {
		if one.open && one.observer && one.session == session {
			return true
		}
	}
	return false
}

// watches reports whether the client may not change a session.
func (c *client) watches(session string) bool { return c.kind == watcher || c.observes[session] }

// isHeard reports whether everything that the client has sent has certainly arrived.
func (c *client) isHeard() bool {
	if c.kind == traveller || !c.world.isJoined() {
		return false
	}
	p := c.toServer
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.data) == 0 && !p.broken
}

// addRequest records a client's own request or notification.
func (c *client) addRequest(e *event) {
	m := e.message
	e.session = m.params.SessionID
	if !m.isRequest() {
		return
	}
	e.call = &call{id: string(m.ID), method: m.Method, session: e.session, open: true, watched: c.watches(e.session), emptied: c.world.emptied}
	c.calls[e.call.id] = e.call
	e.call.observer = m.params.Role == "observer"
	e.call.whole = m.Method == "session/attach" && m.params.HistoryPolicy != "none"
	e.call.wrong, c.errs = c.errs, false
	e.call.instructs = m.params.instructions()
	c.attaches = c.attaches || m.Method == "session/attach"
	switch m.Method {
	case "session/list":
		e.call.pages, c.pages = c.pages, nil
	case "session/fork":
		e.call.before, c.before = c.before, ""
	case "session/detach", "session/close", "session/delete":
		if v := c.views[e.session]; v != nil {
			v.closing, v.ready = v.ready, false // unless the request fails
		}
	case "_session/steering":
		e.call.steers = m.params.Prompt[0].Text
	case "session/prompt":
		if len(m.params.Prompt) == 0 {
			return // a mistake
		}
		e.call.turn = m.params.Prompt[0].Text
		e.turn = e.call.turn
	case "session/load":
		if c.views[e.session] == nil {
			c.views[e.session] = newView(c, e.session, true)
			if !c.isOpening(e.call) {
				return
			}
		}
		c.views[e.session].unclear = true // its updates can't be told from those of the replay
	}
}

// isOpening reports whether an earlier, unanswered request of the client may open the same
// session.
func (c *client) isOpening(by *call) bool {
	for _, one := range c.calls {
		if one != by && one.open && one.session == by.session && (one.method == "session/resume" || one.method == "session/attach" || one.method == "session/load") {
			return true
		}
	}
	return false
}

// answered handles the response to a client's request.
func (c *client) answered(e *event) {
	e.call = c.calls[string(e.message.ID)]
	if e.call == nil {
		return
	}
	e.session, e.turn, e.call.open = e.call.session, e.call.turn, false
	id, failed := e.session, len(e.message.Error) > 0
	switch e.call.method {
	case "initialize":
		c.greeted = c.greeted || !failed
	case "session/new":
		if !failed {
			id = e.message.result.SessionID
			c.world.addSession(id, e, "")
			c.views[id] = newView(c, id, true)
			c.views[id].ready = true
		}
	case "session/fork":
		if !failed {
			id = e.message.result.SessionID
			c.world.addSession(id, e, e.session)
			c.world.session(id).before = e.call.before
			c.views[id] = newView(c, id, false)
			c.views[id].ready = true
		}
	case "session/load":
		switch v := c.views[id]; {
		case v == nil && !failed: // the client has closed the session before
			v = newView(c, id, false)
			v.unclear, v.ready = true, true
			c.views[id] = v
		case v == nil:
		case !failed:
			v.ready, v.lost = true, false
		case !v.ready:
			delete(c.views, id)
		}
	case "session/resume", "session/attach":
		wasRead := c.greeted && !e.message.isEnding() || strings.Contains(e.message.line, "-32002")
		if e.call.observer && c.kind != editor && wasRead {
			c.observes[id] = true // also if the session is opened later
		}
		if failed {
			return
		}
		if e.call.whole {
			c.overheard(e)
		}
		if c.views[id] == nil {
			c.views[id] = newView(c, id, false)
			c.views[id].unclear = c.isOpening(e.call) // its replay may follow
		}
		c.views[id].ready, c.views[id].lost = true, false
	case "session/list":
		if e.call.pages != nil {
			e.call.pages.add(e.message)
		}
	case "session/close", "session/detach":
		c.closed(e)
	case "session/delete":
		c.closed(e)
		if s := c.world.session(id); s != nil {
			s.deleted = s.deleted || !failed && (s.agent.Skills&keeps == 0 || s.agent.memory(c.world.plan.Seed).deletes)
			s.unclear = s.unclear || !failed && !s.deleted                                              // its agent still has it
			s.unclear = s.unclear || failed && s.agent.Skills&keeps != 0                                // or only its record is left
			s.unclear = s.unclear || failed && c.leaving || e.message.isEnding()                        // the server goes on without it
			s.unclear = s.unclear || failed && strings.Contains(e.message.line, `"code":"interrupted"`) // a traveller never learns the outcome
			s.unclear = s.unclear || !c.world.isJoined()                                                // another server may save it later
		}
	}
}

// closed updates a session's view after the response to a request that closes it.
func (c *client) closed(e *event) {
	id := e.call.session
	if v := c.views[id]; v != nil && len(e.message.Error) > 0 {
		v.ready = v.closing
		v.left = v.left || e.message.isEnding()
		return
	}
	delete(c.views, id)
}
