package ahphost

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A pendingRequest is the agent's request to the user. Exactly one of permission and
// question is set. The host's mutex guards it.
type pendingRequest struct {
	pending    *pendingRequests // of its session
	up         *upstream
	of         *core.Request
	turn       string
	permission *v1.RequestPermissionRequest
	question   *v1.ElicitationRequest
	key        string // the client-side id of a question, or the id of a tool call
	by         *dispatched
}

// asked handles a request from the hub. The caller holds the lock.
func (u *upstream) asked(of *core.Request) {
	s := u.sessions[of.Session]
	k, err := newPendingRequest(u, of)
	switch {
	case s == nil || !s.chat.ready():
		err = fmt.Errorf("%s cannot be shown", short(of.Method))
	case err == nil:
		err = s.pending.add(k)
	}
	if err != nil { // other clients of the hub may answer
		k.answer(core.Answer{Failure: rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeMethodNotFound, "%w", err)))})
		return
	}
	u.requests[of] = k
}

// newPendingRequest returns a pendingRequest for a request from the hub. It returns an
// error with it if the request can't be shown.
func newPendingRequest(u *upstream, of *core.Request) (*pendingRequest, error) {
	k := &pendingRequest{up: u, of: of}
	switch of.Method {
	case v1.MethodRequestPermission:
		k.permission = new(v1.RequestPermissionRequest)
		err := exactjson.Unmarshal(of.Params, k.permission)
		k.key = k.permission.ToolCall.ToolCallID
		return k, err
	case v1.MethodElicitationCreate:
		k.question = new(v1.ElicitationRequest)
		return k, exactjson.Unmarshal(of.Params, k.question)
	}
	return k, fmt.Errorf("%s cannot be shown", short(of.Method))
}

// show asks the clients, and reports whether they can answer.
func (k *pendingRequest) show() bool {
	if k.permission == nil {
		return k.showQuestion(nil)
	}
	as := k.pending
	as.chat.say(nil, as.mapper.Request(k.permission)...)
	call := as.chat.call(k.key)
	if call == nil || call.Status != ahp.CallPending {
		return false // its call has ended
	}
	copied := *call
	as.need(ahp.NeededInput{ID: k.needed(), Kind: ahp.NeedsConfirmation, TurnID: k.turn, ToolCall: &copied})
	return true
}

// showQuestion asks a question. If wrong is set, it says what was wrong with the
// previous answer.
func (k *pendingRequest) showQuestion(wrong error) bool {
	as := k.pending
	request, ok := ahpmap.Question(k.key, k.question)
	if !ok {
		as.turn.notice("The agent asks for something that cannot be answered here: " + k.question.Message)
		return false
	}
	if wrong == nil {
		as.chat.say(nil, as.mapper.Flush()...)
	} else {
		request.Message += " (" + wrong.Error() + ")"
	}
	as.chat.say(nil, &ahp.InputRequested{Request: request})
	as.need(ahp.NeededInput{ID: k.needed(), Kind: ahp.NeedsAnswer, Request: &request})
	return true
}

// needed returns the request's id in the session's list of needed inputs.
func (k *pendingRequest) needed() string {
	if k.permission != nil {
		return "call-" + k.key
	}
	return k.key
}

// reply answers the hub. by is the client that answered, or nil if the host did.
func (k *pendingRequest) reply(by *client, result any) {
	answer := core.Answer{Result: rawmsg.Encode(result)}
	if by != nil {
		who := by.identity()
		answer.By = &who
	}
	k.answer(answer)
}

func (k *pendingRequest) answer(answer core.Answer) {
	k.up.post(func(core.Source) { k.of.Reply(answer) })
}

// cancel answers that the user stopped the turn.
func (k *pendingRequest) cancel() {
	if k.permission != nil {
		k.reply(nil, v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeCancelled}})
	} else {
		k.reply(nil, v1.ElicitationResponse{Action: v1.ElicitCancel})
	}
	k.reject("the turn was stopped")
	k.remove()
}

// withdrawn removes a request that needs no answer any more, because the agent withdrew
// it or somebody else answered.
func (k *pendingRequest) withdrawn() {
	as := k.pending
	k.reject("another client answered, or the agent withdrew the request")
	if as.chat.isActive(k.turn) {
		if k.permission != nil {
			as.chat.say(nil, as.mapper.Chosen(k.permission, "")...)
		} else {
			as.chat.say(nil, &ahp.InputCompleted{RequestID: k.key, Response: ahp.Cancel})
		}
	}
	k.remove()
}

// reject rejects the pending answer of a client, if there is one.
func (k *pendingRequest) reject(reason string) {
	if k.by != nil {
		k.by.reject(reason)
		k.by = nil
	}
}

// askAgain asks a question again with a new id, and says what was wrong with the
// answer. VS Code shows each request only once.
func (k *pendingRequest) askAgain(wrong error) {
	as := k.pending
	as.chat.say(nil, &ahp.InputCompleted{RequestID: k.key, Response: ahp.Cancel})
	as.overview.say(nil, &ahp.InputNeededRemoved{ID: k.needed()})
	k.key = as.newKey()
	k.showQuestion(wrong)
}

// remove drops the request.
func (k *pendingRequest) remove() {
	delete(k.up.requests, k.of)
	k.pending.remove(k)
}
