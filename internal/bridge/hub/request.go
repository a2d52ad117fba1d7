package hub

import (
	"errors"
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A request is a client's call and its execution. The hub's mutex guards it.
type request struct {
	client   *client // nil after the client disconnected
	call     *core.Call
	method   string
	params   []byte
	upstream *core.Call // the call to a source on its behalf; nil until made
	at       *upstream  // the source that was called
	// cancelled is set if the client no longer waits for the answer.
	cancelled bool
}

// begin executes the request. The caller holds the lock.
func (q *request) begin() {
	cl := q.client
	if cl.From.Watches && !q.mayWatch() {
		q.fail(protocol.CodeInvalidRequest, "the token %s can only watch open sessions", cl.From.Token)
		return
	}
	if cl.From.Watches && q.method == v1.MethodSessionList {
		q.listOpen()
		return
	}
	switch q.method {
	case v1.MethodInitialize:
		cl.initialize(q)
	case v1.MethodSessionNew, v1.MethodSessionFork:
		q.open()
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		q.elsewhere()
	case methodAttach:
		q.attach()
	case methodDetach:
		q.detach()
	default:
		q.pass()
	}
}

// mayWatch reports whether a client that may only observe may make the request.
func (q *request) mayWatch() bool {
	switch q.method {
	case v1.MethodInitialize, methodAttach, methodDetach, v1.MethodSessionList:
		return true
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		s := q.client.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]
		return s != nil && s.open
	}
	return false
}

// listOpen answers session/list with the open sessions alone: a client that may only
// observe can't open the saved ones, so it doesn't learn of them.
func (q *request) listOpen() {
	type listed struct {
		ID    string `json:"sessionId"`
		Cwd   string `json:"cwd"`
		Title string `json:"title,omitempty"`
	}
	h, cwd := q.client.hub, rawmsg.MemberText(q.params, "cwd")
	all := []listed{}
	for _, id := range slices.Sorted(maps.Keys(h.sessions)) {
		if s := h.sessions[id]; s.open && (cwd == "" || cwd == s.cwd) {
			all = append(all, listed{id, s.cwd, s.observed.title})
		}
	}
	q.answer(rawmsg.Result, rawmsg.Encode(map[string]any{"sessions": all}))
}

// pass passes on a request for a session that the client controls, or for no session.
func (q *request) pass() {
	cl := q.client
	id := rawmsg.MemberText(q.params, "sessionId")
	s, a := cl.hub.sessions[id], cl.attached[id]
	switch {
	case id == "":
	case cl.observes[id] || a != nil && a.observer:
		q.fail(protocol.CodeInvalidRequest, "observers cannot do that")
		return
	case s == nil && q.method == v1.MethodSessionClose:
		q.answer(rawmsg.Result, []byte("{}"))
		return
	case s == nil && q.needsOpen():
		q.fail(protocol.CodeNotFound, "unknown session %q: load, resume or attach it first", id)
		return
	case a == nil && s != nil:
		q.fail(protocol.CodeInvalidRequest, "load, resume or attach the session %s first", id)
		return
	case q.method == v1.MethodSessionClose && s.controlledBeside(a):
		q.answer(rawmsg.Result, a.leaveOpen(q.params))
		return
	}
	switch {
	case s == nil:
	case q.method == v1.MethodSessionClose && s.peer != nil && len(s.attached) > 1:
		q.params = mayStay(q.params)
	case q.method == v1.MethodSteering:
		q.steer(s, a)
		return
	case q.method == v1.MethodSetConfig && !cl.shows.booleans:
		q.params = s.setup.asBoolean(q.params)
	case q.method == v1.MethodSessionPrompt:
		q.at = s.upstream()
		q.upstream = a.prompt(q.client, q.params, func(result, failure []byte) { q.settle(a, result, failure) })
		return
	}
	q.forward(func(result, failure []byte) { q.passed(s, a, result, failure) })
}

// needsOpen reports whether the request only makes sense for a session that is open. Even
// if the source still has the session, nobody would see or could cancel its turn.
func (q *request) needsOpen() bool {
	switch q.method {
	case v1.MethodSessionPrompt, v1.MethodSteering, v1.MethodSetMode, v1.MethodSetConfig:
		return true
	}
	return false
}

// isForSaved reports whether the source also carries out a request for a session that is not
// open. So if the session ends meanwhile, only the source knows whether the request succeeds.
func isForSaved(method string) bool {
	switch method {
	case v1.MethodSessionDelete, v1.MethodSetTitle, v1.MethodSessionFork:
		return true
	}
	return false
}

// passed handles the response to a request that was passed on.
func (q *request) passed(s *session, a *attachment, result, failure []byte) {
	if s != nil {
		switch {
		case failure != nil:
		case q.method == v1.MethodSessionClose && s.peer != nil && stays(result):
			result = []byte("{}")
			if s.open && q.client != nil { // otherwise it is detached already
				a.leaveAloud()
			}
		case q.method == v1.MethodSessionClose, q.method == v1.MethodSessionDelete:
			if a != nil {
				a.detach() // it knows already
			}
			q.upstream = nil // the end of the session doesn't make it fail
			s.end(errClosed)
		case q.method == v1.MethodSetMode:
			s.choseMode(a, q.params)
		case q.method == v1.MethodSetConfig:
			s.choseOption(a, result)
		case q.method == v1.MethodSetTitle:
			s.observed.retitle(result)
		}
	}
	q.settle(a, result, failure)
}

// errClosed is the cause given to other clients when one of them closed or deleted the
// session.
var errClosed = errors.New("it was closed")

// forward sends the request to the agent, or to the server that has the session.
func (q *request) forward(done func(result, failure []byte)) {
	h := q.client.hub
	s := h.sessions[rawmsg.MemberText(q.params, "sessionId")]
	if s != nil && s.peer != nil && q.method != v1.MethodSessionFork {
		q.send(s.peer, q.method, q.params, done)
		return
	}
	q.send(h.connect(), q.method, q.params, done)
}

// send calls a source on the request's behalf.
func (q *request) send(at *upstream, method string, params []byte, done func(result, failure []byte)) {
	q.at = at
	q.upstream = at.call(q.client, method, params, done)
}

// settle answers with the upstream response, after all earlier changes of the session.
func (q *request) settle(a *attachment, result, failure []byte) {
	outcome, value := rawmsg.Result, result
	if failure != nil {
		outcome, value = rawmsg.Error, failure
	}
	q.answerAfter(a, outcome, value)
}

// answer answers a request. The caller holds the lock.
func (q *request) answer(outcome string, value []byte) { q.answerAfter(nil, outcome, value) }

// answerAfter answers once the client got all changes of a session so far.
func (q *request) answerAfter(a *attachment, outcome string, value []byte) {
	cl := q.client
	if cl == nil {
		return
	}
	delete(cl.requests, q)
	if outcome == rawmsg.Result && !cl.shows.booleans {
		value = withoutBooleans(value)
	}
	m := message{size: len(value), do: func(core.View) {
		if outcome == rawmsg.Error {
			q.call.Fail(&core.AgentError{JSON: value})
			return
		}
		q.call.ReplyJSON(value)
	}}
	if a != nil {
		// The client may have attached again since it made the request, or even have closed the
		// session and loaded it from the other server that still has it.
		if now := cl.attached[a.session.id]; now != nil {
			m.session, m.after = now, now.session.history.last
		}
	}
	cl.enqueue(m)
}

// fail answers with an error.
func (q *request) fail(code int64, format string, args ...any) {
	q.answer(rawmsg.Error, rawmsg.Encode(protocol.Wire(protocol.Errorf(code, format, args...))))
}

// cancel passes on that the client no longer waits for the answer. The caller holds the
// lock.
func (q *request) cancel() {
	if call := q.upstream; call != nil {
		q.cancelled = true
		q.at.post(func(core.Source) { call.Cancel() })
	}
}
