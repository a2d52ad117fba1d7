package relay

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// maxAsks bounds the agent's unanswered requests.
const maxAsks = 4096

// A pendingRequest is a request from the agent that the editor has not answered.
type pendingRequest struct {
	core.Request

	up        *upstream
	id        []byte // the agent's id
	method    string
	session   *session        // nil if it names no known session
	call      consent.Call    // the call that a permission request is about
	tool      []byte          // the request's own description of the call
	shown     string          // the id of the session that shows the call in the editor
	announced bool            // the editor knows the call
	noted     bool            // its outcome was recorded
	params    []byte          // as recorded; nil if they are not recorded
	part      *part           // nil if the user can't accept a part of a change
	cancelled <-chan struct{} // closed if its turn is cancelled; nil if it belongs to no turn
	unneeded  bool            // the agent no longer waits for the answer
	withdrawn atomic.Bool
}

// The answers to the agent when nobody consented.
var (
	notPermitted = json.RawMessage(core.NotPermitted)
	notAnswered  = json.RawMessage(`{"action":"cancel"}`)
)

// refusal returns the answer when nobody consented, or nil if the request needs no
// consent.
func (a *pendingRequest) refusal() json.RawMessage {
	switch a.method {
	case v1.MethodRequestPermission:
		return notPermitted
	case v1.MethodElicitationCreate:
		return notAnswered
	}
	return nil
}

// request passes on a request from the agent.
func (u *upstream) request(m jsonrpc.Message) {
	r := u.relay
	a := &pendingRequest{up: u, id: bytes.Clone(m.ID), method: m.Method}
	a.Method, a.Gate, a.Answered = m.Method, &a.withdrawn, a.answered
	r.mu.Lock()
	if u.pending[string(a.id)] != nil {
		r.mu.Unlock()
		// An answer with this id would also answer the other request.
		r.repairs.note(repairTwice, "id", string(a.id))
		return
	}
	params := m.Params
	s, own := u.names.owner(rawmsg.MemberText(params, "sessionId"))
	a.session = s
	askable := true
	if a.method == v1.MethodRequestPermission {
		params = withoutPartial(params)
		if r.client.mends() {
			params = r.repairs.lawfulPermission(params)
			params, askable = r.quirksOf(s).Permission(params)
		}
		a.Offered = core.OptionsOf(params)
		a.describe(params)
	}
	if a.isLate() {
		a.refuseLate()
		return
	}
	if s != nil {
		if r.client.mends() && a.refusal() != nil && s.turn.isRunning() {
			a.cancelled = s.turn.cancelled
		}
		if own && s.id != s.remote {
			params = rawmsg.Replace(params, "sessionId", rawmsg.Quote(s.id))
		}
	}
	if !askable {
		a.unaskable()
		return
	}
	switch a.method {
	case v1.MethodElicitationCreate:
		a.About = u.aboutRequest(params)
	case v1.MethodRequestPermission:
		params = a.offerPart(params)
	}
	a.params = a.session.keptParams(params)
	if a.method == v1.MethodRequestPermission && r.cfg.Judge != nil {
		r.mu.Unlock() // a judge may read files
		if a.rule() {
			return
		}
		if r.mu.Lock(); a.isLate() {
			a.refuseLate()
			return
		}
	}
	if len(u.pending) >= maxAsks {
		a.note(a.open("too many pending requests"))
		r.mu.Unlock()
		u.rpc.Fail(a.id, protocol.Wire(protocol.Errorf(protocol.CodeInternal, "%d requests are pending, which is the limit", maxAsks)))
		return
	}
	if s != nil {
		a.Session = s.id
	}
	a.Params = bytes.Clone(clean(params))
	u.pending[string(a.id)] = a
	if a.refusal() != nil {
		a.session.sync() // the user may take hours to decide
	}
	r.mu.Unlock()
	if err := r.view.Request(&a.Request); err != nil {
		r.log.Debug("a request could not be sent", "error", err)
	}
}

// isLate reports whether the request belongs to a turn that has ended for the editor, or
// whether the connection to the editor is ending. The caller holds the lock.
func (a *pendingRequest) isLate() bool {
	r, s := a.up.relay, a.session
	return a.refusal() != nil && (r.ending || s != nil && (s.forgotten || r.client.mends() && (s.turn.isOver() || isClosing(s))))
}

// refuseLate refuses a late request. The caller holds the lock; refuseLate releases it.
func (a *pendingRequest) refuseLate() {
	r := a.up.relay
	a.note(a.open(turnCancelled))
	r.mu.Unlock()
	r.repairs.note(repairAskedLate)
	a.up.rpc.Respond(a.id, a.refusal())
}

// aboutRequest returns the client's request that an elicitation is about, or nil. The
// caller holds the lock.
func (u *upstream) aboutRequest(params []byte) *core.Call {
	id, _, _ := rawmsg.Member(params, "requestId")
	n, err := strconv.ParseInt(string(id), 10, 64)
	if q := u.calls[n]; err == nil && q != nil {
		return q.call
	}
	return nil
}

// answered passes on the client's answer.
func (a *pendingRequest) answered(answer core.Answer) {
	u, r := a.up, a.up.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	if !a.isOpen() {
		return // it was withdrawn
	}
	if answer.Accepted != nil {
		a.acceptPart(answer)
		return
	}
	a.close()
	if answer.Failure != nil {
		a.record(rawmsg.Error, answer.Failure)
		a.note(a.open(noAnswer))
		u.rpc.Put(rawmsg.Response(a.id, rawmsg.Error, answer.Failure))
		return
	}
	if a.method == v1.MethodRequestPermission {
		defer a.note(consent.Of(a.call, time.Now()).Answered(answer.Chosen, answer.By).Unasked(answer.Unasked))
	}
	if a.part != nil {
		answer.Result = withoutMeta(answer.Result, v1.AcceptedMeta) // the user accepted everything
	}
	a.record(rawmsg.Result, answer.Result)
	if no := a.refusal(); no != nil {
		u.rpc.Permit(a.id, json.RawMessage(answer.Result), no, a.cancelled)
		return
	}
	u.rpc.Put(rawmsg.Response(a.id, rawmsg.Result, answer.Result))
}

// isOpen reports whether the agent waits for the answer. The caller holds the lock.
func (a *pendingRequest) isOpen() bool { return a.up.pending[string(a.id)] == a }

// close removes the request from the unanswered ones. The caller holds the lock.
func (a *pendingRequest) close() {
	delete(a.up.pending, string(a.id))
}

// withdraw tells the client that its answer is no longer needed. The caller holds the
// lock.
func (a *pendingRequest) withdraw() {
	r := a.up.relay
	if !a.isOpen() {
		return
	}
	a.close()
	if a.isWriting() {
		a.part.stop()
	} else {
		a.note(a.open(notWaiting))
	}
	a.withdrawn.Store(true)
	r.view.Withdraw(&a.Request)
	r.view.Forget(&a.Request)
}

// withdraw refuses and withdraws the session's requests that need consent. The caller
// holds the lock.
func (s *session) withdraw() {
	if s.up == nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(s.up.pending)) {
		a := s.up.pending[id]
		if a == nil || a.session != s || a.refusal() == nil {
			continue
		}
		a.withdraw()
		a.up.rpc.Respond(a.id, a.refusal())
	}
}

// cancelRequest passes on that the agent no longer waits for an answer. If the editor
// answers anyway, its answer is passed on. The caller holds the lock.
func (u *upstream) cancelRequest(params []byte) {
	id, _, _ := rawmsg.Member(params, "requestId")
	if a := u.pending[string(id)]; a != nil {
		a.unneeded = true
		u.relay.view.Withdraw(&a.Request)
	}
}
