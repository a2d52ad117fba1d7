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

// A request is one call of the editor, on its way to an answer.
type request struct {
	conn *conn
	rpc  *jsonrpc2.Conn
	id   jsonrpc2.ID
}

// method enters a request. It runs on the reader: what takes time goes on in a
// goroutine. Whoever gets r answers it exactly once.
type method func(c *conn, r *request, params json.RawMessage) error

// methodOf is the one place to add a method: nil where there is none of that
// name. Those that need no initialize are entered before it; see [conn.Handle].
func methodOf(name string) method {
	switch name {
	case v1.MethodInitialize:
		return (*conn).initialize
	case v1.MethodSessionNew:
		return (*conn).newSession
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

// notificationOf is the one place to add a notification: nil where there is
// none of that name.
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

// Handle implements [jsonrpc2.Handler]. It is called by the reader, one
// message after the other.
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
	if err := c.enter(r, req.Method, params); err != nil {
		r.fail(err)
	}
}

// enter registers r and starts its method.
func (c *conn) enter(r *request, name string, params json.RawMessage) (err error) {
	m := methodOf(name)
	c.mu.Lock()
	_, twice := c.inFlight[r.id]
	initialized, ending := c.client != nil, c.ending
	if !twice {
		c.inFlight[r.id] = func() {}
		c.entered++
	}
	c.mu.Unlock()
	if twice {
		// The id belongs to the request that is in flight: the answer to this
		// one must not be taken for the answer to that.
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

// onCancel sets what $/cancel_request and the end of the input do to r.
func (r *request) onCancel(cancel func()) {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	r.conn.inFlight[r.id] = cancel
}

// reply answers r with a result, which is a type of the protocol's package.
func (r *request) reply(result any) {
	r.leave()
	err := r.conn.stream.Answer(r.id, func(dst []byte) []byte { return v1.AppendValue(dst, result) })
	if err != nil {
		r.conn.log.Debug("an answer could not be sent", "id", r.id.String(), "error", err)
	}
	r.left()
}

// fail answers r with an error.
func (r *request) fail(err error) {
	r.leave()
	wire := protocol.Wire(err)
	r.conn.log.Info("a request failed", "id", r.id.String(), "code", wire.Code, "message", wire.Message)
	// The cause may hold what an agent wrote, and thereby what it was told.
	r.conn.log.Debug("the cause of that failure", "id", r.id.String(), "error", err)
	if err := r.conn.stream.AnswerError(r.id, wire); err != nil {
		r.conn.log.Debug("an answer could not be sent", "id", r.id.String(), "error", err)
	}
	r.left()
}

// leave takes r out of the table before its answer is out: an editor may use
// the id again as soon as it has read the answer.
func (r *request) leave() {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	delete(r.conn.inFlight, r.id)
}

// left wakes who waits for the last answer, now that it is in the stream.
func (r *request) left() {
	r.conn.mu.Lock()
	defer r.conn.mu.Unlock()
	if r.conn.entered--; r.conn.entered == 0 {
		r.conn.idle.Broadcast()
	}
}

// decode decodes params into v. Absent params and an empty array are taken for
// an empty object.
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
