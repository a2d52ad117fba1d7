package acp

import (
	"bytes"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A client is one connection. It implements [core.View].
type client struct {
	stream   *protocol.Stream
	source   core.Source
	log      *slog.Logger
	frontEnd consent.FrontEnd
	finished sync.Once
	closed   chan struct{} // the source is closed

	mu         sync.Mutex
	hello      *core.Call            // the first initialize; nil if that was answered with an error
	name       string                // the client calls itself
	calls      map[string]*core.Call // that are not answered, by their ids as JSON
	ids        map[*core.Call]string
	unanswered int       // calls whose answer is not in the stream yet
	idle       sync.Cond // signals that unanswered is 0
	asks       map[string]*core.Ask
	asked      map[*core.Ask]string
	lastAsk    uint64
	ending     bool
	deadline   time.Time // of the end, after it has begun
}

func newClient(cfg Config) *client {
	c := &client{
		stream: newStream(cfg), log: cfg.Log, frontEnd: cfg.FrontEnd, closed: make(chan struct{}),
		calls: make(map[string]*core.Call), ids: make(map[*core.Call]string),
		asks: make(map[string]*core.Ask), asked: make(map[*core.Ask]string),
	}
	c.idle.L = &c.mu
	return c
}

// take takes a message of the client, in the goroutine that reads it.
func (c *client) take(m protocol.Message) {
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

// request gives a request to the source, unless that cannot take it.
func (c *client) request(m protocol.Message) {
	id := string(m.ID)
	call := core.NewCall(m.Method, bytes.Clone(m.Params), c.reply)
	c.mu.Lock()
	twice := c.calls[id] != nil
	hello := m.Method == v1.MethodInitialize
	refusal := c.refusal(m.Method)
	if !twice {
		c.calls[id], c.ids[call] = call, id
		c.unanswered++
		if hello && refusal == nil {
			c.greet(call)
		}
	}
	c.mu.Unlock()
	switch {
	case twice:
		// The id belongs to the other request: an answer with it would be mistaken for
		// the answer to that one.
		c.stream.Refuse(protocol.Errorf(protocol.CodeInvalidRequest, "the id %s is in use by a request that is not answered yet", id))
	case refusal != nil:
		call.Fail(refusal)
	default:
		c.give(call)
	}
}

// refusal is why a request cannot be taken. The caller holds mu.
func (c *client) refusal(method string) error {
	switch {
	case c.ending:
		return protocol.Errorf(protocol.CodeInternal, "the connection is ending")
	case c.hello == nil && method != v1.MethodInitialize:
		return protocol.Errorf(protocol.CodeInvalidRequest, "the connection must be initialized before %s", method)
	}
	return nil
}

// greet notes what the client says of itself. The caller holds mu.
func (c *client) greet(call *core.Call) {
	if c.hello == nil {
		c.hello = call
	}
	if info := object(call.Params, "clientInfo"); info != nil {
		c.name = rawmsg.MemberText(info, "name")
	}
}

// give gives a call to the source. A defect there fails the call alone.
func (c *client) give(call *core.Call) {
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a call panicked", "method", call.Method, "panic", p, "stack", string(debug.Stack()))
			call.Fail(fmt.Errorf("panic in %s: %v", call.Method, p))
		}
	}()
	c.source.Call(call)
}

// reply answers a call. The second answer to a call has no effect.
func (c *client) reply(call *core.Call, result []byte, err error) {
	c.mu.Lock()
	id, open := c.ids[call]
	// The id is free before the answer is sent, because the client may use it again as
	// soon as it has read that.
	delete(c.ids, call)
	delete(c.calls, id)
	if err != nil && c.hello == call {
		c.hello = nil // the client may try again
	}
	c.mu.Unlock()
	if !open {
		return
	}
	line := rawmsg.Response([]byte(id), rawmsg.Result, result)
	if err != nil {
		wire := core.Wire(err)
		// The cause, which may be in the message, may quote what an agent wrote, and
		// thereby the prompt.
		c.log.Info("a request failed", "method", call.Method, "id", id, "code", string(member(wire, "code")))
		c.log.Debug("the cause of that failure", "method", call.Method, "id", id, "error", err)
		line = rawmsg.Response([]byte(id), rawmsg.Error, wire)
	}
	if err := c.stream.Send(line); err != nil {
		c.log.Debug("an answer could not be sent", "id", id, "error", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unanswered--; c.unanswered == 0 {
		c.idle.Broadcast()
	}
}

// cancel takes a $/cancel_request of the client.
func (c *client) cancel(params []byte) {
	id := string(member(params, "requestId"))
	c.mu.Lock()
	call := c.calls[id]
	c.mu.Unlock()
	if call == nil {
		c.log.Warn("ignored a notification", "method", v1.MethodCancelRequest, "id", id)
		return
	}
	call.Cancel()
}

// member is a member of what may be no object.
func member(of []byte, name string) []byte {
	if len(of) == 0 || of[0] != '{' {
		return nil
	}
	value, _, _ := rawmsg.Member(of, name)
	return value
}

// object is a member that is an object, or nil.
func object(of []byte, name string) []byte {
	if value := member(of, name); len(value) > 0 && value[0] == '{' {
		return value
	}
	return nil
}
