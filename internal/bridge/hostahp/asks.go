package hostahp

import (
	"errors"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/mapahp"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// asks are the open requests of a session's agent to the user, and the clients' answers
// to them. The host's mutex guards them.
type asks struct {
	chat     *chat
	overview *overview
	turn     *turn
	mapper   *mapahp.Mapper
	open     []*ask
	numbered int // number of questions so far
}

// add shows an ask in the current turn. It returns an error if clients can't answer it.
func (as *asks) add(k *ask) error {
	k.asks = as
	if k.question != nil {
		k.key = as.newKey()
	}
	as.turn.speak()
	if as.turn.shown() {
		k.turn = as.chat.active().ID
	}
	if k.turn == "" || !k.show() {
		return errors.New("no turn is shown in which it could be asked")
	}
	as.open = append(as.open, k)
	return nil
}

func (as *asks) newKey() string {
	as.numbered++
	return "input-" + strconv.Itoa(as.numbered)
}

// need shows that the session waits for the user.
func (as *asks) need(input ahp.NeededInput) {
	input.Chat = as.chat.uri
	as.overview.say(nil, &ahp.InputNeededSet{Request: input})
}

// any reports whether the agent waits for the user.
func (as *asks) any() bool { return len(as.open) > 0 }

// find returns the open ask that a client answers, or nil.
func (as *asks) find(key string, permission bool) *ask {
	i := slices.IndexFunc(as.open, func(k *ask) bool { return k.key == key && (k.permission != nil) == permission })
	if i < 0 {
		return nil
	}
	return as.open[i]
}

func (as *asks) remove(k *ask) {
	as.open = slices.DeleteFunc(as.open, func(o *ask) bool { return o == k })
	as.overview.say(nil, &ahp.InputNeededRemoved{ID: k.needed()})
	if as.turn.isUnsolicited() {
		as.turn.speak() // it may be able to end now
	}
}

// cancel cancels all asks, because the user stopped the turn.
func (as *asks) cancel() {
	for _, k := range slices.Clone(as.open) {
		k.cancel()
	}
}

// withdraw withdraws all asks, because the agent is gone.
func (as *asks) withdraw() {
	for _, k := range slices.Clone(as.open) {
		k.withdrawn()
	}
}

func (as *asks) drop() { as.open = nil }

// confirm handles a client's answer to a permission request. It counts once the hub
// confirms that it was the first.
func (as *asks) confirm(d *dispatched, a *ahp.ToolCallConfirmed) error {
	k := as.find(a.ToolCallID, true)
	switch {
	case k == nil || k.turn != a.TurnID:
		return errors.New("nobody asks about this tool call any more")
	case k.by != nil:
		return errors.New("the tool call is being answered")
	case a.EditedToolInput != "":
		return errors.New("the agent takes no other input")
	}
	outcome, ok := mapahp.Decide(k.permission, a)
	if !ok {
		return errors.New("the option does not fit what was offered")
	}
	k.by = d
	k.reply(d.client, v1.RequestPermissionResponse{Outcome: outcome})
	return nil
}

// frontEnd identifies the client for the audit log.
func (c *client) frontEnd() consent.FrontEnd {
	who := c.from
	who.Name, who.Client = c.name, c.id
	return who
}

// resolved handles the answer that counts. ours reports whether this host gave it.
func (as *asks) resolved(call string, ours bool, option string) {
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
		k.reject("somebody else has answered first")
		as.chat.say(nil, as.mapper.Chosen(k.permission, option)...)
	}
	k.remove()
}

// complete handles a client's answer to a question.
func (as *asks) complete(d *dispatched, a *ahp.InputCompleted) error {
	k := as.find(a.RequestID, false)
	if k == nil {
		return errors.New("nobody asks this any more")
	}
	answers := a.Answers
	if request := as.chat.question(k.key); request != nil && len(answers) == 0 {
		answers = request.Answers // the draft is the answer
	}
	answer, err := mapahp.Answer(k.question, a.Response, answers)
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
