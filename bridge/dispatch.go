package bridge

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A request is a call of the editor that has not been answered.
type request struct {
	conn *conn
	rpc  *jsonrpc2.Conn
	id   jsonrpc2.ID
}

// A method handles a request. It runs on the reader's goroutine, so slow work
// continues in another one. Exactly one reply or failure must follow.
type method func(c *conn, r *request, params json.RawMessage) error

// methodOf returns the method with a name, or nil. To add a method, add it
// here. Only initialize may precede initialize; see [conn.Handle].
func methodOf(name string) method {
	switch name {
	case v1.MethodInitialize:
		return (*conn).initialize
	case v1.MethodAuthenticate:
		return (*conn).authenticate
	case v1.MethodSessionNew:
		return (*conn).newSession
	case v1.MethodSessionLoad:
		return (*conn).loadSession
	case v1.MethodSessionResume:
		return (*conn).resumeSession
	case v1.MethodSessionList:
		return (*conn).listSessions
	case v1.MethodSessionDelete:
		return (*conn).deleteSession
	case v1.MethodSessionFork:
		return (*conn).forkSession
	case v1.MethodSetTitle:
		return (*conn).setTitle
	case v1.MethodSessionPrompt:
		return (*conn).prompt
	case v1.MethodSessionClose:
		return (*conn).closeSession
	case v1.MethodSetConfig:
		return (*conn).setConfig
	case v1.MethodSetMode:
		return (*conn).setMode
	}
	return nil
}

// notificationOf returns the handler of a notification, or nil. To add a
// notification, add it here.
func notificationOf(name string) func(c *conn, params json.RawMessage) error {
	switch name {
	case v1.MethodSessionCancel:
		return (*conn).cancelSession
	case methodCancelRequest:
		return (*conn).cancelRequest
	}
	return nil
}

const methodCancelRequest = "$/cancel_request"

// Handle implements [jsonrpc2.Handler]. The reader calls it for one message
// after the other.
func (c *conn) Handle(_ context.Context, rpc *jsonrpc2.Conn, req *jsonrpc2.Request) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	if req.Notif {
		notify := notificationOf(req.Method)
		if notify == nil {
			c.log.Debug("ignored a notification", "method", req.Method)
			return
		}
		if err := notify(c, params); err != nil {
			c.log.Warn("ignored a notification", "method", req.Method, "error", err)
		}
		return
	}
	r := &request{conn: c, rpc: rpc, id: req.ID}
	if err := c.register(r, req.Method, params); err != nil {
		r.fail(err)
	}
}

// register registers r and calls its method.
func (c *conn) register(r *request, name string, params json.RawMessage) (err error) {
	m := methodOf(name)
	c.mu.Lock()
	_, twice := c.inFlight[r.id]
	initialized, ending := c.client != nil, c.ending
	if !twice {
		c.inFlight[r.id] = func() {}
		c.unanswered++
	}
	c.mu.Unlock()
	if twice {
		// The id belongs to the other request: an answer with it would be
		// mistaken for the answer to that one.
		raw, _ := json.Marshal(r.id)
		c.stream.Refuse(protocol.Errorf(protocol.CodeInvalidRequest, "the id %s is in use by a request that is not answered yet", raw))
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			c.log.Error("a handler panicked", "method", name, "panic", p)
			err = fmt.Errorf("panic in %s: %v", name, p)
		}
	}()
	switch {
	case ending:
		return protocol.Errorf(protocol.CodeInternal, "the connection is ending")
	case !initialized && name != v1.MethodInitialize:
		return protocol.Errorf(protocol.CodeInvalidRequest, "the connection must be initialized before %s", name)
	case m == nil:
		return protocol.Errorf(protocol.CodeMethodNotFound, "%s", name).With("method", name)
	}
	return m(c, r, params)
}

// onCancel sets the function that $/cancel_request and the end of the input
// call.
func (r *request) onCancel(cancel func()) {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	r.conn.inFlight[r.id] = cancel
}

// reply answers r with a result, which is a type of package v1.
func (r *request) reply(result any) {
	r.unregister()
	err := r.conn.stream.Answer(r.id, func(dst []byte) []byte { return v1.AppendValue(dst, result) })
	if err != nil {
		r.conn.log.Debug("an answer could not be sent", "id", r.id.String(), "error", err)
	}
	r.answered()
}

// fail answers r with an error.
func (r *request) fail(err error) {
	r.unregister()
	wire := protocol.Wire(err)
	// The cause, which may be in the message, may quote what an agent wrote, and
	// thereby the prompt.
	r.conn.log.Info("a request failed", "id", r.id.String(), "code", wire.Code)
	r.conn.log.Debug("the cause of that failure", "id", r.id.String(), "error", err)
	if err := r.conn.stream.AnswerError(r.id, wire); err != nil {
		r.conn.log.Debug("an answer could not be sent", "id", r.id.String(), "error", err)
	}
	r.answered()
}

// unregister removes r from the table before its answer is sent, because an
// editor may reuse the id as soon as it has read the answer.
func (r *request) unregister() {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	delete(r.conn.inFlight, r.id)
}

// answered records that the answer to r is in the stream, and wakes the goroutine
// that waits for the last one.
func (r *request) answered() {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	if r.conn.unanswered--; r.conn.unanswered == 0 {
		r.conn.idle.Broadcast()
	}
}

// decode decodes params into v. Absent params and an empty array count as an
// empty object.
func decode(params json.RawMessage, v any) error {
	if len(params) == 0 || string(params) == "[]" || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	if err := exactjson.Unmarshal(params, v); err != nil {
		return protocol.Errorf(protocol.CodeInvalidParams, "%w", err)
	}
	return nil
}

func missing(name string) error {
	return protocol.Errorf(protocol.CodeInvalidParams, "%s is missing", name)
}
