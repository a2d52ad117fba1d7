package hostahp

import (
	"bytes"
	"errors"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// A request is one of a client. It is answered once, with the lock held.
type request struct {
	client *client
	id     []byte
	method string
	params []byte
}

// methods are those that are served. Which of them are is found out by asking: the
// protocol has no list of what a host can do.
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
	// No agent of ours wants a token of a client: what is pushed is not kept.
	"authenticate": func(q *request) { q.answer(empty{}) },
}

// first are the methods that may come before hello.
var first = map[string]bool{"ping": true, "initialize": true, "reconnect": true}

type empty struct{}

// take takes a message of the client.
func (c *client) take(m protocol.Message) {
	h := c.host
	h.mu.Lock()
	defer h.mu.Unlock()
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
			q.fail(protocol.CodeInvalidRequest, "%d requests are not answered yet", maxRequests)
		case serve == nil:
			q.fail(protocol.CodeMethodNotFound, "%s is not supported here", short(q.method))
		case c.from.Watches && q.method != "ping": // every other one may begin an agent
			q.fail(ahp.CodeDenied, "the token %s can only watch sessions that are open, which this protocol has no way to do", c.from.Token)
		case c.version == "" && !first[q.method]:
			q.fail(protocol.CodeInvalidRequest, "the connection must be initialized before %s", q.method)
		default:
			serve(q)
		}
	}
}

// notified takes a notification of the client. The lock is held.
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

// object is params, or an empty object where they are none.
func object(params []byte) []byte {
	if len(params) > 0 && params[0] == '{' {
		return params
	}
	return []byte("{}")
}

// short bounds what a stranger can put into a log or an error.
func short(s string) string { return s[:min(len(s), 100)] }

// decode decodes the params. It has answered the request where that fails.
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
	q.client.put(rawmsg.Response(q.id, rawmsg.Result, rawmsg.Encode(result)))
}

// fail answers with an error.
func (q *request) fail(code int64, format string, args ...any) {
	q.failWith(protocol.Errorf(code, format, args...))
}

// failWith answers with an error that may have a code. Clients show the message
// alone, so that is the cause.
func (q *request) failWith(err error) {
	q.client.requests--
	wire := protocol.Wire(err)
	if coded, ok := errors.AsType[*protocol.Error](err); ok {
		wire.Message = coded.Err.Error()
	}
	q.client.put(rawmsg.Response(q.id, rawmsg.Error, rawmsg.Encode(wire)))
}

// later does work without the lock, and then answers with it held.
func (q *request) later(work func() (any, error)) {
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
