package relay

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol"
)

// maxAsks bounds the requests of the agent that the editor has not answered.
const maxAsks = 4096

// An ask is a request of the agent that the editor has not answered.
type ask struct {
	up        *upstream
	id        []byte // the agent's
	number    string // the editor's
	method    string
	session   *session        // nil where it names none that is known
	options   []string        // what was offered, of a permission request
	params    []byte          // as they are recorded; nil where they are not
	cancelled <-chan struct{} // of the turn that it belongs to; nil for none
	withdrawn atomic.Bool
}

// What the agent is told where nobody has consented.
var (
	notPermitted = json.RawMessage(`{"outcome":{"outcome":"cancelled"}}`)
	notAnswered  = json.RawMessage(`{"action":"cancel"}`)
)

// refusal is what answers the ask where nobody has consented; nil for what needs
// no consent of the user.
func (a *ask) refusal() json.RawMessage {
	switch a.method {
	case methodPermission:
		return notPermitted
	case methodElicit:
		return notAnswered
	}
	return nil
}

// ask passes a request of the agent on.
func (u *upstream) ask(m jsonrpc.Message) {
	r := u.relay
	a := &ask{up: u, id: bytes.Clone(m.ID), method: m.Method}
	if a.method == methodPermission {
		a.options = optionsOf(m.Params)
	}
	r.mu.Lock()
	if u.asks[string(a.id)] != nil {
		r.mu.Unlock()
		// An answer with this id would be one to the other request.
		r.repairs.note(repairTwice, "id", string(a.id))
		return
	}
	params := m.Params
	s, own := u.owner(memberText(params, "sessionId"))
	if a.session = s; s != nil {
		if r.mends() && a.refusal() != nil {
			if s.stale > 0 || s.isCancelled() {
				r.mu.Unlock()
				r.repairs.note(repairAskedLate)
				u.rpc.Respond(a.id, a.refusal())
				return
			}
			if len(s.prompts) > 0 {
				a.cancelled = s.cancelled
			}
		}
		if own && s.id != s.remote {
			params = replaced(params, "sessionId", quoted(s.id))
		}
	}
	if a.method == methodElicit {
		params = u.aboutRequest(params)
	}
	if len(u.asks) >= maxAsks {
		r.mu.Unlock()
		u.rpc.Fail(a.id, protocol.Wire(protocol.Errorf(protocol.CodeInternal, "%d requests are not answered yet, as many as may be", maxAsks)))
		return
	}
	r.lastAsk++
	a.number = strconv.FormatInt(r.lastAsk, 10)
	u.asks[string(a.id)], r.asks[a.number] = a, a
	a.params = a.session.keptParams(params)
	r.mu.Unlock()
	if a.refusal() != nil {
		r.sync(a.session) // the user may think about it for hours
	}
	if err := r.editor.AppendUnless(&a.withdrawn, clean(requestLine([]byte(a.number), m.Method, params))); err != nil {
		r.log.Debug("a request could not be sent", "error", err)
	}
}

// aboutRequest is the params of an elicitation with the editor's id of the
// request that it is about, where it is about one. The lock is held.
func (u *upstream) aboutRequest(params []byte) []byte {
	id, _, _ := member(params, "requestId")
	n, err := strconv.ParseInt(string(id), 10, 64)
	if q := u.calls[n]; err == nil && q != nil {
		return replaced(params, "requestId", q.id)
	}
	return params
}

// optionsOf are the ids of the options of a permission request.
func optionsOf(params []byte) (ids []string) {
	list, _, _ := member(params, "options")
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	for option := range rawjson.Elements(list) {
		if option[0] == '{' {
			ids = append(ids, memberText(option, "optionId"))
		}
	}
	return ids
}

// answered passes an answer of the editor on.
func (r *relay) answered(m protocol.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.asks[string(m.ID)]
	if a == nil {
		r.log.Debug("ignored an answer to no request", "id", string(m.ID))
		return
	}
	r.close(a)
	u := a.up
	if m.Error != nil {
		a.noteAsk(outcomeError, m.Error)
		u.rpc.Put(responseLine(a.id, outcomeError, m.Error))
		return
	}
	result := m.Result
	if a.method == methodPermission && !a.permits(result) && !declines(result) {
		r.log.Warn("an answer to a permission request names no option that was offered, and permits nothing")
		result = notPermitted
	}
	a.noteAsk(outcomeResult, result)
	if no := a.refusal(); no != nil {
		u.rpc.Permit(a.id, json.RawMessage(bytes.Clone(result)), no, a.cancelled)
		return
	}
	u.rpc.Put(responseLine(a.id, outcomeResult, result))
}

// permits reports whether an answer names an option that was offered.
func (a *ask) permits(result []byte) bool {
	outcome, _, _ := member(result, "outcome")
	return len(outcome) > 0 && outcome[0] == '{' && memberText(outcome, "outcome") == "selected" &&
		slices.Contains(a.options, memberText(outcome, "optionId")) && memberText(outcome, "optionId") != ""
}

// declines reports whether an answer says that nothing was chosen.
func declines(result []byte) bool {
	outcome, _, _ := member(result, "outcome")
	return len(outcome) > 0 && outcome[0] == '{' && memberText(outcome, "outcome") == "cancelled"
}

// close takes an ask from those that wait. The lock is held.
func (r *relay) close(a *ask) {
	delete(r.asks, a.number)
	delete(a.up.asks, string(a.id))
}

// withdrawAsk tells the editor that nobody waits for its answer any more. The
// lock is held.
func (r *relay) withdrawAsk(a *ask) {
	if r.asks[a.number] != a {
		return
	}
	r.close(a)
	a.withdrawn.Store(true)
	r.send(requestLine(nil, methodCancelCall, []byte(`{"requestId":`+a.number+`}`)))
}

// withdraw refuses what the agent asks in a session, and withdraws it. The lock
// is held.
func (r *relay) withdraw(s *session) {
	for _, a := range r.asks {
		if a.session != s || a.refusal() == nil {
			continue
		}
		r.withdrawAsk(a)
		a.up.rpc.Respond(a.id, a.refusal())
	}
}

// cancelAsk passes on that the agent does not wait for an answer any more. The
// answer that the editor gives all the same passes. The lock is held.
func (u *upstream) cancelAsk(params []byte) {
	id, _, _ := member(params, "requestId")
	if a := u.asks[string(id)]; a != nil {
		u.relay.send(requestLine(nil, methodCancelCall, replaced(params, "requestId", []byte(a.number))))
	}
}
