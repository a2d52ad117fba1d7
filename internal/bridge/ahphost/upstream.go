package ahphost

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// An upstream is the connection to an agent's sessions, of which the host is a client.
// The host's mutex guards the fields after work.
type upstream struct {
	agent *agent
	work  *core.Mailbox // calls the source

	source   core.Source         // nil until it is open
	pending  []*core.Call        // in the order in which they were made
	sessions map[string]*session // by the agent's session id
	requests map[*core.Request]*pendingRequest
	waiting  []func(*upstream, error) // called once it is initialized
	ready    bool
	images   bool // the agent accepts images
	steers   bool // the agent reads messages during a turn
	names    bool // sessions can have titles
	closing  bool
	lost     bool
}

// The hub's methods that are not part of ACP; attach and detach are from the proposal
// for attaching.
const (
	methodAttach = "session/attach"
	methodDetach = "session/detach"
	methodEnded  = "_turnwire/session_ended"
)

var errLost = errors.New("the connection to the agent ended")

// connect calls then once the agent is initialized. The caller holds the lock.
func (a *agent) connect(then func(*upstream, error)) {
	if a.host.closed {
		then(nil, ErrClosed)
		return
	}
	if a.up == nil {
		a.up = a.begin()
	}
	if a.up.ready {
		then(a.up, nil)
		return
	}
	a.up.waiting = append(a.up.waiting, then)
}

// begin opens the agent's sessions. The caller holds the lock.
func (a *agent) begin() *upstream {
	h := a.host
	u := &upstream{
		agent: a, work: core.NewMailbox(),
		sessions: make(map[string]*session), requests: make(map[*core.Request]*pendingRequest),
	}
	h.work.Go(u.work.Run)
	u.work.Post(func() {
		source, err := a.Open(u, func() { h.work.Go(u.close) })
		h.mu.Lock()
		defer h.mu.Unlock()
		if err != nil {
			h.cfg.Log.Warn("an agent's sessions cannot be opened", "provider", a.Provider, "error", err)
			u.greeted(nil, rawmsg.Encode(protocol.Wire(err)))
			return
		}
		u.source = source
		if c := u.call(v1.MethodInitialize, initialize(h.cfg.Version), u.greeted); c != nil {
			c.OnAmend(u.amended)
		}
	})
	return u
}

// initialize returns the host's initialize params. The host shows other clients' turns.
func initialize(version string) any {
	return map[string]any{
		"protocolVersion": 1,
		"clientInfo":      map[string]string{"name": "turnwire-ahp", "title": "Agent Host Protocol", "version": cmp.Or(version, "0")},
		"clientCapabilities": map[string]any{
			"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}},
			"session":     map[string]any{"configOptions": map[string]any{"boolean": map[string]any{}}, "cursors": map[string]any{}},
			"_meta":       map[string]any{"turnwire.dev/turns": true, v1.ForkMeta: true},
		},
	}
}

func (u *upstream) greeted(result, failure []byte) {
	var able v1.InitializeResponse
	err := decoded(result, failure, &able)
	u.know(&able)
	u.ready = err == nil
	waiting := u.waiting
	u.waiting = nil
	if err != nil && u.agent.up == u {
		u.agent.up = nil // the next call may connect again
		u.agent.host.work.Go(u.close)
	}
	for _, then := range waiting {
		then(u, err)
	}
}

// know stores the agent's capabilities and name. The caller holds the lock.
func (u *upstream) know(able *v1.InitializeResponse) {
	u.images = able.AgentCapabilities.PromptCapabilities.Image
	u.names = able.AgentCapabilities.SessionCapabilities.Title != nil || able.AgentCapabilities.Meta[v1.TitleMeta] == true
	steering, _ := able.Meta[v1.SteeringMeta].(map[string]any)
	u.steers = steering["supported"] == true
	if about := able.AgentInfo; about != nil && about.Title != "" {
		known := u.agent.offers
		known.Name = about.Title
		u.agent.offer(known)
	}
}

// amended handles the response of an agent that was slow to start.
func (u *upstream) amended(result []byte) {
	var able v1.InitializeResponse
	if decoded(result, nil, &able) != nil {
		return
	}
	h := u.agent.host
	h.mu.Lock()
	defer h.mu.Unlock()
	u.know(&able)
}

// close closes the agent's sessions, and fails all pending calls.
func (u *upstream) close() {
	h := u.agent.host
	h.mu.Lock()
	u.closing = true
	h.clients.wake()
	h.mu.Unlock()
	u.work.Close(func() {
		h.mu.Lock()
		source, open := u.source, slices.Clone(u.pending)
		h.mu.Unlock()
		if source != nil {
			source.Stop(open)
			source.Close(h.ctx)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		u.lost = true
		if u.agent.up == u {
			u.agent.up = nil
		}
		for _, s := range slices.SortedFunc(maps.Values(u.sessions), func(a, b *session) int { return strings.Compare(a.record.URI, b.record.URI) }) {
			s.lose()
		}
	})
}

// failed returns a response's error, or nil if it has a result.
func failed(failure []byte) error {
	if failure == nil {
		return nil
	}
	var e jsonrpc2.Error
	if err := exactjson.Unmarshal(failure, &e); err != nil {
		return errors.New("the agent failed")
	}
	return errors.New(protocol.Reason(&e))
}

// decoded decodes a response's result, or returns its error.
func decoded(result, failure []byte, into any) error {
	if err := failed(failure); err != nil {
		return err
	}
	return exactjson.Unmarshal(result, into)
}

// call sends a request. done is called with the lock held and with exactly one of
// result and failure. It returns nil if the connection has ended. The caller holds the lock.
func (u *upstream) call(method string, params any, done func(result, failure []byte)) *core.Call {
	if u.lost {
		done(nil, lostFailure())
		return nil
	}
	c := core.NewCall(method, rawmsg.Encode(params), func(c *core.Call, result []byte, err error) {
		h := u.agent.host
		h.mu.Lock()
		defer h.mu.Unlock()
		i := slices.Index(u.pending, c)
		if i < 0 {
			return
		}
		u.pending = slices.Delete(u.pending, i, i+1)
		if err != nil {
			done(nil, core.Wire(err))
			return
		}
		done(result, nil)
	})
	u.pending = append(u.pending, c)
	u.post(func(source core.Source) { source.Call(c) })
	return c
}

func lostFailure() []byte {
	return rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "%w", errLost)))
}

// post calls do with the source, after everything posted before, and without the lock.
// The caller holds the lock.
func (u *upstream) post(do func(core.Source)) {
	source := u.source
	u.work.Post(func() { do(source) })
}
