package hub

import (
	"errors"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A request is a call of a front end. The hub's mutex guards it.
type request struct {
	front    *front // nil after it has left
	call     *core.Call
	method   string
	params   []byte
	upstream *core.Call // what the source was called for it; nil before
	at       *upstream
}

// refusal is why the front end can call nothing. The lock is held.
func (f *front) refusal() error {
	switch {
	case f.left || f.hungUp || f.hub.closed:
		return errGoing
	case len(f.requests) >= maxRequests:
		return protocol.Errorf(protocol.CodeInvalidRequest, "%d requests are not answered yet", maxRequests)
	}
	return nil
}

var errGoing = protocol.Errorf(protocol.CodeInternal, "the connection is ending")

// request takes a call. The lock is held.
func (f *front) request(c *core.Call) {
	q := &request{front: f, call: c, method: c.Method, params: c.Params}
	f.requests[q] = true
	c.OnCancel(func() { f.cancel(q) })
	if f.From.Watches && !f.mayWatch(q) {
		q.fail(protocol.CodeInvalidRequest, "the token %s can only watch sessions that are open", f.From.Token)
		return
	}
	switch q.method {
	case v1.MethodInitialize:
		f.initialize(q)
	case v1.MethodSessionNew:
		f.open(q)
	case v1.MethodSessionFork:
		f.fork(q)
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		f.elsewhere(q)
	case methodAttach:
		f.attach(q)
	case methodDetach:
		f.detach(q)
	default:
		f.pass(q)
	}
}

// mayWatch reports whether a request is for somebody who only watches.
func (f *front) mayWatch(q *request) bool {
	switch q.method {
	case v1.MethodInitialize, methodAttach, methodDetach, v1.MethodSessionList:
		return true
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		s := f.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]
		return s != nil && s.open
	}
	return false
}

// pass passes on a request of a session that the front end controls, or of none.
func (f *front) pass(q *request) {
	id := rawmsg.MemberText(q.params, "sessionId")
	s, a := f.hub.sessions[id], f.attached[id]
	switch {
	case id == "":
	case f.observes[id] || a != nil && a.observer:
		q.fail(protocol.CodeInvalidRequest, "an observer of the session cannot do that")
		return
	case s == nil && q.method == v1.MethodSessionClose:
		q.answer(rawmsg.Result, []byte("{}"))
		return
	case a == nil && s != nil:
		q.fail(protocol.CodeInvalidRequest, "load, resume or attach the session %s first", id)
		return
	case q.method == v1.MethodSessionClose && s.controlledBeside(a):
		a.leaveAloud()
		q.answer(rawmsg.Result, []byte("{}"))
		return
	}
	if q.method == v1.MethodSessionPrompt && s != nil {
		s.prompted(a, q.params)
	}
	f.forward(q, func(result, failure []byte) { f.passed(q, s, a, result, failure) })
}

// passed takes the answer to a request that was passed on.
func (f *front) passed(q *request, s *session, a *attachment, result, failure []byte) {
	if s != nil {
		switch {
		case q.method == v1.MethodSessionPrompt:
			s.answeredPrompt(a, result, failure)
		case failure != nil:
		case q.method == v1.MethodSessionClose, q.method == v1.MethodSessionDelete:
			if a != nil {
				a.detach() // it knows
			}
			s.end(errClosed)
		case q.method == v1.MethodSetMode:
			s.choseMode(a, q.params)
		case q.method == v1.MethodSetConfig:
			s.choseOption(a, result)
		}
	}
	q.settle(a, result, failure)
}

// errClosed is why a session ends that one of its front ends has closed or deleted.
var errClosed = errors.New("it was closed")

// forward sends a request to the agent.
func (f *front) forward(q *request, done func(result, failure []byte)) {
	h := f.hub
	if s := h.sessions[rawmsg.MemberText(q.params, "sessionId")]; s != nil && s.peer != nil && q.method != v1.MethodSessionFork {
		q.at = s.peer
	} else {
		q.at = h.connect()
	}
	q.upstream = q.at.call(f, q.method, q.params, done)
}

// settle answers with what the agent has answered, after all that was said in the
// session before.
func (q *request) settle(a *attachment, result, failure []byte) {
	outcome, value := rawmsg.Result, result
	if failure != nil {
		outcome, value = rawmsg.Error, failure
	}
	q.answerAfter(a, outcome, value)
}

// answer answers a request. The lock is held.
func (q *request) answer(outcome string, value []byte) { q.answerAfter(nil, outcome, value) }

// answerAfter answers after the front end got all changes of a session.
func (q *request) answerAfter(a *attachment, outcome string, value []byte) {
	f := q.front
	if f == nil {
		return
	}
	delete(f.requests, q)
	m := message{size: len(value), do: func(core.View) {
		if outcome == rawmsg.Error {
			q.call.Fail(&core.AgentError{JSON: value})
			return
		}
		q.call.ReplyJSON(value)
	}}
	if a != nil && a.front == f && f.attached[a.session.id] == a {
		m.session, m.after = a, a.session.history.last
	}
	f.put(m)
}

// fail answers with an error.
func (q *request) fail(code int64, format string, args ...any) {
	q.answer(rawmsg.Error, rawmsg.Encode(protocol.Wire(protocol.Errorf(code, format, args...))))
}

// cancel passes on that the front end does not wait for the answer any more.
func (f *front) cancel(q *request) {
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	if call := q.upstream; call != nil {
		q.at.post(func(core.Source) { call.Cancel() })
	}
}

// notified takes a notification of the front end. The lock is held.
func (f *front) notified(method string, params []byte) {
	if f.From.Watches {
		return
	}
	u := f.hub.upstream
	if id := rawmsg.MemberText(params, "sessionId"); id != "" {
		if a := f.attached[id]; a == nil || a.observer {
			f.hub.log.Warn("dropped a notification of a front end that may not send it", "client", f.id, "method", method, "session", id)
			return
		}
		u = f.attached[id].session.upstream()
	}
	if u == nil {
		return
	}
	u.notify(method, params)
}
