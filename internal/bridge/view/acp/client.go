package acp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A client is one connection. It implements [core.View].
type client struct {
	stream     *protocol.Stream
	source     core.Source
	log        *slog.Logger
	identity   consent.Client
	calls      *calls
	pending    *pendingRequests
	initialize atomic.Pointer[core.Call] // the first initialize; nil again if it failed
	name       string                    // the client's own name; only for the goroutine that reads
	finishing  atomic.Bool
	finished   chan struct{} // closed when everything is answered
	deadline   time.Time     // set by finish
	closed     chan struct{} // closed when the source is closed
}

func newClient(cfg Config) *client {
	if c, ok := cfg.In.(io.Closer); ok && cfg.CloseIn == nil {
		cfg.CloseIn = c.Close
	}
	stream := protocol.NewStream(cfg.In, cfg.Out, cfg.CloseIn, cfg.Log)
	stream.Join = cfg.Join
	return &client{
		stream: stream, log: cfg.Log, identity: cfg.Client, closed: make(chan struct{}), finished: make(chan struct{}),
		calls: newCalls(), pending: newPendingRequests(),
	}
}

// handle dispatches a message from the client, on the goroutine that reads it.
func (c *client) handle(m protocol.Message) {
	switch {
	case m.Method == "":
		c.answered(m)
	case m.ID == nil && m.Method == v1.MethodCancelRequest:
		c.cancel(m.Params)
	case m.ID == nil:
		c.source.Notify(m.Method, m.Params)
	default:
		c.request(m)
	}
}

// request passes a request to the source, or refuses it.
func (c *client) request(m protocol.Message) {
	id := string(m.ID)
	call := core.NewCall(m.Method, bytes.Clone(m.Params), c.reply)
	switch twice, ending := c.calls.add(id, call); {
	case twice:
		// The id belongs to the other request: a response with it would be mistaken for
		// the response to that one.
		c.stream.Refuse(protocol.Errorf(protocol.CodeInvalidRequest, "the id %s belongs to a pending request", id))
	case ending:
		call.Fail(protocol.Errorf(protocol.CodeInternal, "the connection is ending"))
	case !c.admit(call):
		call.Fail(protocol.Errorf(protocol.CodeInvalidRequest, "the connection must be initialized before %s", m.Method))
	default:
		c.give(call)
	}
}

// admit records the client's info from initialize. It returns false if the call must
// come after initialize.
func (c *client) admit(call *core.Call) bool {
	if call.Method != v1.MethodInitialize {
		return c.initialize.Load() != nil
	}
	c.initialize.CompareAndSwap(nil, call)
	if info := object(call.Params, "clientInfo"); info != nil {
		c.name = rawmsg.MemberText(info, "name")
	}
	return true
}

// give passes a call to the source. A panic there only fails this call.
func (c *client) give(call *core.Call) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a call panicked", "method", call.Method, "panic", p, "stack", string(debug.Stack()))
			call.Fail(fmt.Errorf("panic in %s: %v", call.Method, p))
		}
	}()
	c.source.Call(call)
}

// reply answers a call. A second answer to a call has no effect.
func (c *client) reply(call *core.Call, result []byte, err error) {
	if err != nil {
		c.initialize.CompareAndSwap(call, nil) // let the client try again
	}
	id, open := c.calls.remove(call)
	if !open {
		return
	}
	line := rawmsg.Response([]byte(id), rawmsg.Result, result)
	if err != nil {
		wire := core.Wire(err)
		// The message may contain the cause, which may quote the agent and
		// its prompt. So log it at the debug level only.
		c.log.Info("a request failed", "method", call.Method, "id", id, "code", string(member(wire, "code")))
		c.log.Debug("the cause of that failure", "method", call.Method, "id", id, "error", err)
		line = rawmsg.Response([]byte(id), rawmsg.Error, wire)
	}
	if closed, ok := errors.AsType[*core.ClosedError](err); ok {
		notice := &v1.MessageChunk{Kind: v1.AgentMessage, Content: &v1.TextBlock{Text: v1.NewText(core.EndedHere(closed.Err))}}
		c.send(v1.AppendNotification(nil, rawmsg.MemberText(call.Params, "sessionId"), notice))
	}
	if err := c.stream.Send(line); err != nil {
		c.log.Debug("an answer could not be sent", "id", id, "error", err)
	}
	c.calls.sent()
}

// cancel handles the client's $/cancel_request.
func (c *client) cancel(params []byte) {
	id := string(member(params, "requestId"))
	call := c.calls.find(id)
	if call == nil {
		c.log.Warn("ignored a notification", "method", v1.MethodCancelRequest, "id", id)
		return
	}
	call.Cancel()
}

// member returns a member of a value, or nil if the value is not an object.
func member(of []byte, name string) []byte {
	if len(of) == 0 || of[0] != '{' {
		return nil
	}
	value, _, _ := rawmsg.Member(of, name)
	return value
}

// object returns the named member if it is an object, or nil.
func object(of []byte, name string) []byte {
	if value := member(of, name); len(value) > 0 && value[0] == '{' {
		return value
	}
	return nil
}
