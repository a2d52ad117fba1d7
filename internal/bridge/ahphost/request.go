package ahphost

import (
	"bytes"
	"errors"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// A request is a client's request. It is answered once, with the lock held.
type request struct {
	client *client
	id     []byte
	method string
	params []byte
}

// methods are the supported methods. Clients find out which are supported by trying:
// AHP has no list of a host's capabilities.
var methods = map[string]func(*request){
	"ping":                     func(q *request) { q.answer(empty{}) },
	"initialize":               (*request).initialize,
	"reconnect":                (*request).reconnect,
	"subscribe":                (*request).subscribe,
	"listSessions":             (*request).listSessions,
	"createSession":            (*request).createSession,
	"disposeSession":           (*request).disposeSession,
	"resolveSessionConfig":     (*request).resolveSessionConfig,
	"sessionConfigCompletions": func(q *request) { q.answer(map[string]any{"items": []any{}}) },
	"fetchTurns":               (*request).fetchTurns,
	"completions":              (*request).completions,
	"resourceRead":             (*request).resourceRead,
	"resourceList":             (*request).resourceList,
	"resourceResolve":          (*request).resourceResolve,
	// None of our agents uses a client's token, so discard it.
	"authenticate": func(q *request) { q.answer(empty{}) },
}

// first are the methods allowed before initialize or reconnect.
var first = map[string]bool{"ping": true, "initialize": true, "reconnect": true}

type empty struct{}

// handle dispatches a message from the client.
func (c *client) handle(m protocol.Message) {
	h := c.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if spoken := c.onSpoken; spoken != nil && !c.left && !h.closed {
		c.onSpoken = nil
		spoken()
	}
	switch {
	case c.left || h.closed || m.Method == "":
	case m.ID == nil:
		c.notified(m.Method, bytes.Clone(m.Params))
	default:
		c.requests++
		q := &request{client: c, id: bytes.Clone(m.ID), method: m.Method, params: bytes.Clone(m.Params)}
		serve := methods[q.method]
		switch {
		case c.requests > maxRequests:
			q.fail(protocol.CodeInvalidRequest, "%d requests are pending", maxRequests)
		case serve == nil:
			q.fail(protocol.CodeMethodNotFound, "%s is not supported", short(q.method))
		case c.from.Watches && q.method != "ping": // every other method may start an agent
			q.fail(ahp.CodeDenied, "the token %s can only watch open sessions, which this protocol does not support", c.from.Token)
		case c.version == "" && !first[q.method]:
			q.fail(protocol.CodeInvalidRequest, "the connection must be initialized before %s", q.method)
		default:
			serve(q)
		}
	}
}

// notified handles a notification from the client. The caller holds the lock.
func (c *client) notified(method string, params []byte) {
	switch {
	case c.version == "":
	case method == "dispatchAction":
		c.dispatch(params)
	case method == "unsubscribe":
		if channel := rawmsg.MemberText(object(params), "channel"); channel != "" {
			c.unsubscribeAs(channel)
		}
	default:
		c.host.cfg.Log.Debug("ignored a notification", "client", c.id, "method", short(method))
	}
}

// object returns params, or an empty object if params is not an object.
func object(params []byte) []byte {
	if len(params) > 0 && params[0] == '{' {
		return params
	}
	return []byte("{}")
}

// short bounds client-supplied text in logs and errors.
func short(s string) string { return s[:min(len(s), 100)] }

// decode decodes the params. If that fails, it answers the request and returns false.
func (q *request) decode(into any) bool {
	if err := exactjson.Unmarshal(object(q.params), into); err != nil {
		q.fail(protocol.CodeInvalidParams, "%w", err)
		return false
	}
	return true
}

// answer answers with a result.
func (q *request) answer(result any) {
	q.client.requests--
	q.client.enqueue(rawmsg.Response(q.id, rawmsg.Result, rawmsg.Encode(result)))
}

// fail answers with an error.
func (q *request) fail(code int64, format string, args ...any) {
	q.failWith(protocol.Errorf(code, format, args...))
}

// failWith answers with an error that may have a code. The message is the cause,
// because clients show only the message.
func (q *request) failWith(err error) {
	q.client.requests--
	wire := protocol.Wire(err)
	if coded, ok := errors.AsType[*protocol.Error](err); ok {
		wire.Message = coded.Err.Error()
	}
	q.client.enqueue(rawmsg.Response(q.id, rawmsg.Error, rawmsg.Encode(wire)))
}

// inBackground does work without the lock, and then answers with the lock held.
func (q *request) inBackground(work func() (any, error)) {
	h := q.client.host
	h.work.Go(func() {
		result, err := work()
		h.mu.Lock()
		defer h.mu.Unlock()
		if err != nil {
			q.failWith(err)
			return
		}
		q.answer(result)
	})
}
