package relay

import (
	"bytes"

	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// dispatch takes a message of the editor, in the goroutine that reads it.
func (r *relay) dispatch(m protocol.Message) {
	switch {
	case m.Method == "":
		r.answered(m)
	case m.ID == nil:
		r.notify(m)
	default:
		r.request(m)
	}
}

// request registers a request of the editor and passes it on.
func (r *relay) request(m protocol.Message) {
	q := &request{id: bytes.Clone(m.ID), method: m.Method, params: bytes.Clone(m.Params)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.requests[string(q.id)] != nil {
		// The id belongs to the other request: an answer with it would be
		// mistaken for the answer to that one.
		r.editor.Refuse(protocol.Errorf(protocol.CodeInvalidRequest, "the id %s is in use by a request that is not answered yet", q.id))
		return
	}
	r.requests[string(q.id)] = q
	r.lastOrder++
	q.order = r.lastOrder
	switch {
	case r.ending:
		r.fail(q, protocol.Errorf(protocol.CodeInternal, "the connection is ending"))
	case q.method == methodInitialize && r.up == nil:
		r.initialize(q)
	case r.hello == nil && q.method != methodInitialize:
		r.fail(q, protocol.Errorf(protocol.CodeInvalidRequest, "the connection must be initialized before %s", q.method))
	default:
		if err := r.place(q); err != nil {
			r.fail(q, err)
		} else if !r.keeps(q) {
			r.pass(q)
		}
	}
}

// pass passes a request on to the agent, or has it wait for its session. The
// lock is held.
func (r *relay) pass(q *request) {
	id := rawmsg.MemberText(q.params, "sessionId")
	s := r.sessions[id]
	opens := q.method == methodLoad || q.method == methodResume
	if opens && (s == nil || s.lost) {
		// Its updates may come before the answer.
		late := s
		s = newSession(id, id, nil, nil)
		s.cwd = rawmsg.MemberText(objectOf(q.params), "cwd")
		if late != nil {
			s.calls = late.calls
		}
		r.sessions[id] = s
		q.opens = true
		r.keep(s, q.params, true)
	}
	q.session = s
	if q.method == methodLoad && s != nil {
		s.loading++
	}
	switch {
	case s == nil, opens:
	case s.lost && (q.method == methodClose || q.method == methodDelete && r.up == nil):
		r.forget(s)
		r.reply(q, []byte("{}"))
		return
	case s.lost, s.opening, q.method == methodPrompt && (s.stale > 0 || s.isCancelled() && r.mends()):
		s.queue = append(s.queue, q)
		r.attend(s)
		return
	}
	up, err := r.upstream()
	if err != nil {
		r.fail(q, err)
		return
	}
	up.forward(q)
}

// notify passes a notification of the editor on.
func (r *relay) notify(m protocol.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	params := bytes.Clone(m.Params)
	s := r.sessions[rawmsg.MemberText(params, "sessionId")]
	switch {
	case m.Method == methodCancelCall:
		r.cancelRequest(params)
		return
	case m.Method == methodCancel && s != nil && r.mends():
		r.cancelTurn(s)
	}
	if r.up == nil || s != nil && s.lost {
		r.log.Debug("nobody is there for a notification", "method", m.Method)
		return
	}
	if s != nil {
		params = s.translated(params)
	}
	r.up.put(rawmsg.Request(nil, m.Method, params))
}

// translated is params with the session's id for the agent.
func (s *session) translated(params []byte) []byte {
	if s.id == s.remote {
		return params
	}
	return rawmsg.Replace(params, "sessionId", rawmsg.Quote(s.remote))
}

// forget forgets a session. The lock is held.
func (r *relay) forget(s *session) {
	if r.sessions[s.id] == s {
		delete(r.sessions, s.id)
	}
	if s.up != nil && s.up.sessions[s.remote] == s {
		delete(s.up.sessions, s.remote)
	}
	if s.up != nil {
		s.up.disown(s)
	}
	s.gone = true
	r.withdraw(s)
	r.closeRecord(s)
}
