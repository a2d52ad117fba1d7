package hostahp

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// An ask is the agent's request to the user. Exactly one of permission and question is
// set. The host's mutex guards it.
type ask struct {
	asks       *asks // of its session
	up         *upstream
	of         *core.Ask
	turn       string
	permission *v1.RequestPermissionRequest
	question   *v1.ElicitationRequest
	key        string // the client-side id of a question, or the id of a tool call
	by         *dispatched
}

// asked handles a request from the hub. The caller holds the lock.
func (u *upstream) asked(of *core.Ask) {
	s := u.sessions[of.Session]
	k, err := newAsk(u, of)
	switch {
	case s == nil || !s.chat.ready():
		err = fmt.Errorf("%s cannot be shown", short(of.Method))
	case err == nil:
		err = s.asks.add(k)
	}
	if err != nil { // other clients of the hub may answer
		k.answer(core.Answer{Failure: rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeMethodNotFound, "%w", err)))})
		return
	}
	u.asks[of] = k
}

// newAsk returns an ask for a request from the hub. It returns an error with it if the
// request can't be shown.
func newAsk(u *upstream, of *core.Ask) (*ask, error) {
	k := &ask{up: u, of: of}
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
func (k *ask) show() bool {
	if k.permission == nil {
		return k.showQuestion(nil)
	}
	as := k.asks
	as.chat.say(nil, as.mapper.Ask(k.permission)...)
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
func (k *ask) showQuestion(wrong error) bool {
	as := k.asks
	request, ok := mapahp.Question(k.key, k.question)
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

// needed returns the ask's id in the session's list of needed inputs.
func (k *ask) needed() string {
	if k.permission != nil {
		return "call-" + k.key
	}
	return k.key
}

// reply answers the hub. by is the client that answered, or nil if the host did.
func (k *ask) reply(by *client, result any) {
	answer := core.Answer{Result: rawmsg.Encode(result)}
	if by != nil {
		who := by.frontEnd()
		answer.By = &who
	}
	k.answer(answer)
}

func (k *ask) answer(answer core.Answer) {
	k.up.post(func(core.Source) { k.of.Reply(answer) })
}

// cancel answers that the user stopped the turn.
func (k *ask) cancel() {
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
func (k *ask) withdrawn() {
	as := k.asks
	k.reject("somebody else has answered, or the agent has withdrawn it")
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
func (k *ask) reject(reason string) {
	if k.by != nil {
		k.by.reject(reason)
		k.by = nil
	}
}

// askAgain asks a question again with a new id, and says what was wrong with the
// answer. VS Code shows each request only once.
func (k *ask) askAgain(wrong error) {
	as := k.asks
	as.chat.say(nil, &ahp.InputCompleted{RequestID: k.key, Response: ahp.Cancel})
	as.overview.say(nil, &ahp.InputNeededRemoved{ID: k.needed()})
	k.key = as.newKey()
	k.showQuestion(wrong)
}

// remove drops the ask.
func (k *ask) remove() {
	delete(k.up.asks, k.of)
	k.asks.remove(k)
}
