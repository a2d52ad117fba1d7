package ahphost

import (
	"errors"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// pendingRequests are the open requests of a session's agent to the user, and the
// clients' answers to them. The host's mutex guards them.
type pendingRequests struct {
	chat     *chat
	overview *overview
	turn     *turn
	mapper   *ahpmap.Mapper
	open     []*pendingRequest
	numbered int // number of questions so far
}

// add shows a request in the current turn. It returns an error if clients can't answer it.
func (as *pendingRequests) add(k *pendingRequest) error {
	k.pending = as
	if k.question != nil {
		k.key = as.newKey()
	}
	as.turn.speak()
	if as.turn.shown() {
		k.turn = as.chat.active().ID
	}
	if k.turn == "" || !k.show() {
		return errors.New("no turn is shown")
	}
	as.open = append(as.open, k)
	return nil
}

func (as *pendingRequests) newKey() string {
	as.numbered++
	return "input-" + strconv.Itoa(as.numbered)
}

// need shows that the session waits for the user.
func (as *pendingRequests) need(input ahp.NeededInput) {
	input.Chat = as.chat.uri
	as.overview.say(nil, &ahp.InputNeededSet{Request: input})
}

// any reports whether the agent waits for the user.
func (as *pendingRequests) any() bool { return len(as.open) > 0 }

// find returns the open request that a client answers, or nil.
func (as *pendingRequests) find(key string, permission bool) *pendingRequest {
	i := slices.IndexFunc(as.open, func(k *pendingRequest) bool { return k.key == key && (k.permission != nil) == permission })
	if i < 0 {
		return nil
	}
	return as.open[i]
}

func (as *pendingRequests) remove(k *pendingRequest) {
	as.open = slices.DeleteFunc(as.open, func(o *pendingRequest) bool { return o == k })
	as.overview.say(nil, &ahp.InputNeededRemoved{ID: k.needed()})
	if as.turn.isUnsolicited() {
		as.turn.speak() // it may be able to end now
	}
}

// cancel cancels all requests, because the user stopped the turn.
func (as *pendingRequests) cancel() {
	for _, k := range slices.Clone(as.open) {
		k.cancel()
	}
}

// withdraw withdraws all requests, because the agent is gone.
func (as *pendingRequests) withdraw() {
	for _, k := range slices.Clone(as.open) {
		k.withdrawn()
	}
}

func (as *pendingRequests) drop() { as.open = nil }

// confirm handles a client's answer to a permission request. It counts once the hub
// confirms that it was the first.
func (as *pendingRequests) confirm(d *dispatched, a *ahp.ToolCallConfirmed) error {
	k := as.find(a.ToolCallID, true)
	switch {
	case k == nil || k.turn != a.TurnID:
		return errors.New("this tool call no longer needs approval")
	case k.by != nil:
		return errors.New("the tool call is being answered")
	case a.EditedToolInput != "":
		return errors.New("the agent does not accept edited input")
	}
	outcome, ok := ahpmap.Decide(k.permission, a)
	if !ok {
		return errors.New("the option was not offered")
	}
	k.by = d
	k.reply(d.client, v1.RequestPermissionResponse{Outcome: outcome})
	return nil
}

// identity identifies the client for the audit log.
func (c *client) identity() consent.Client {
	who := c.from
	who.Name, who.ID = c.name, c.id
	return who
}

// resolved handles the answer that counts. ours reports whether this host gave it.
func (as *pendingRequests) resolved(call string, ours bool, option string) {
	k := as.find(call, true)
	if k == nil {
		return
	}
	if d := k.by; ours && d != nil {
		if a, is := d.action.(*ahp.ToolCallConfirmed); is {
			as.mapper.Confirmed(call, a.Approved)
		}
		k.by = nil
		as.chat.say(d.origin(), d.action)
	} else {
		k.reject("another client answered first")
		as.chat.say(nil, as.mapper.Chosen(k.permission, option)...)
	}
	k.remove()
}

// complete handles a client's answer to a question.
func (as *pendingRequests) complete(d *dispatched, a *ahp.InputCompleted) error {
	k := as.find(a.RequestID, false)
	if k == nil {
		return errors.New("this request is no longer open")
	}
	answers := a.Answers
	if request := as.chat.question(k.key); request != nil && len(answers) == 0 {
		answers = request.Answers // the draft is the answer
	}
	answer, err := ahpmap.Answer(k.question, a.Response, answers)
	if err != nil {
		d.reject(err.Error())
		k.askAgain(err)
		return nil
	}
	k.reply(d.client, answer)
	as.chat.say(d.origin(), a)
	k.remove()
	return nil
}
