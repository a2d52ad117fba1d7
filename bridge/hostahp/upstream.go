package hostahp

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// An upstream is the connection with the hub of an agent, as a front end of it. The
// host's mutex guards what is below in.
type upstream struct {
	agent  *agent
	stream *protocol.Stream
	in     io.Closer // what the hub reads

	last     int64
	pending  map[string]func(result, failure []byte) // by their ids as JSON
	sessions map[string]*session                     // by their ids at the agent
	asks     map[string]*ask                         // by their ids as JSON
	waiting  []func(*upstream, error)                // until it is initialized
	ready    bool
	images   bool // the agent takes images
	names    bool // sessions can be named
	lost     bool
}

// Methods of the hub that the protocol does not have: the proposal for attaching is one.
const (
	methodAttach     = "session/attach"
	methodDetach     = "session/detach"
	methodCancelCall = "$/cancel_request"
	methodEnded      = "_turnwire/session_ended"
)

var errLost = errors.New("the connection with the agent has ended")

// connect calls then once the agent has said hello. The lock is held.
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

func (a *agent) begin() *upstream {
	h := a.host
	toHub, ours := io.Pipe()
	fromHub, theirs := io.Pipe()
	u := &upstream{
		agent: a, in: ours, pending: make(map[string]func(result, failure []byte)),
		sessions: make(map[string]*session), asks: make(map[string]*ask),
	}
	u.stream = protocol.NewStream(fromHub, ours, fromHub.Close, h.log)
	h.work.Go(func() {
		if err := a.Serve(h.ctx, toHub, theirs, toHub.Close); err != nil {
			h.log.Warn("the connection with an agent's sessions ended", "provider", a.Provider, "error", err)
		}
		_, _ = theirs.Close(), toHub.Close()
	})
	h.work.Go(func() {
		if err := u.stream.Messages(u.take); err != nil {
			h.log.Warn("reading an agent's sessions", "provider", a.Provider, "error", err)
		}
		u.end()
		u.close()
	})
	u.call(v1.MethodInitialize, hello(h.cfg.Version), u.greeted)
	return u
}

// hello is what the host says of itself. It shows the turns of others.
func hello(version string) any {
	return map[string]any{
		"protocolVersion": 1,
		"clientInfo":      map[string]string{"name": "turnwire-ahp", "title": "Agent Host Protocol", "version": cmp.Or(version, "0")},
		"clientCapabilities": map[string]any{
			"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}},
			"session":     map[string]any{"configOptions": map[string]any{"boolean": map[string]any{}}},
			"_meta":       map[string]any{"turnwire.dev/turns": true},
		},
	}
}

func (u *upstream) greeted(result, failure []byte) {
	err := failed(failure)
	var able v1.InitializeResponse
	if err == nil {
		err = exactjson.Unmarshal(result, &able)
	}
	u.images = able.AgentCapabilities.PromptCapabilities.Image
	u.names = able.AgentCapabilities.SessionCapabilities.Title != nil || able.AgentCapabilities.Meta[v1.TitleMeta] == true
	u.ready = err == nil
	waiting := u.waiting
	u.waiting = nil
	if err != nil && u.agent.up == u {
		u.agent.up = nil // the next one may begin another connection
		u.agent.host.work.Go(u.close)
	}
	for _, then := range waiting {
		then(u, err)
	}
}

func (u *upstream) close() {
	if err := errors.Join(u.stream.Close(), u.in.Close()); err != nil {
		u.agent.host.log.Debug("closing a connection", "error", err)
	}
}

// failed is the error that a response has; nil where it has a result.
func failed(failure []byte) error {
	if failure == nil {
		return nil
	}
	var e jsonrpc2.Error
	if err := exactjson.Unmarshal(failure, &e); err != nil {
		return errors.New("the agent has failed")
	}
	return errors.New(protocol.Reason(&e))
}

// call sends a request. done is called with the lock held, and exactly one of result
// and failure. The lock is held.
func (u *upstream) call(method string, params any, done func(result, failure []byte)) {
	if u.lost {
		done(nil, lostFailure())
		return
	}
	u.last++
	id := strconv.AppendInt(nil, u.last, 10)
	u.pending[string(id)] = done
	u.send(rawmsg.Request(id, method, rawmsg.Encode(params)))
}

func lostFailure() []byte {
	return rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "%w", errLost)))
}

// send sends a line that never waits.
func (u *upstream) send(line []byte) {
	if err := u.stream.Send(line); err != nil {
		u.agent.host.log.Debug("a line could not be sent to the hub", "error", err)
	}
}

// take takes a message of the hub.
func (u *upstream) take(m protocol.Message) {
	h := u.agent.host
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case m.Method == "":
		done := u.pending[string(m.ID)]
		delete(u.pending, string(m.ID))
		if done != nil {
			done(bytes.Clone(m.Result), bytes.Clone(m.Error))
		}
	case m.ID != nil:
		u.asked(bytes.Clone(m.ID), m.Method, bytes.Clone(m.Params))
	case m.Method == methodCancelCall:
		id, _, _ := rawmsg.Member(object(m.Params), "requestId")
		if k := u.asks[string(id)]; k != nil {
			k.withdrawn()
		}
	case m.Method == methodEnded:
		if s := u.sessions[rawmsg.MemberText(object(m.Params), "sessionId")]; s != nil {
			delete(u.sessions, s.record.ACP)
			s.lose()
			s.unattend()
		}
	case m.Method == v1.MethodSessionUpdate:
		params := object(m.Params)
		if s := u.sessions[rawmsg.MemberText(params, "sessionId")]; s != nil && s.chat != nil {
			update, _, _ := rawmsg.Member(params, "update")
			s.update(bytes.Clone(update))
		}
	}
}

// end fails what waits for the connection, which is not there any more.
func (u *upstream) end() {
	h := u.agent.host
	h.mu.Lock()
	defer h.mu.Unlock()
	u.lost = true
	if u.agent.up == u {
		u.agent.up = nil
	}
	for id, done := range u.pending {
		delete(u.pending, id)
		done(nil, lostFailure())
	}
	for _, s := range u.sessions {
		s.lose()
	}
}
