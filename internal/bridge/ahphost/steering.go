package ahphost

import (
	"errors"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

var errSteered = errors.New("the agent has the message already")

// noteSteering applies what a response or an update says about messages during a turn.
func (r *remote) noteSteering(meta v1.Meta) {
	if steering, ok := meta[v1.SteeringMeta].(map[string]any); ok {
		r.steers = steering["supported"] == true
	}
}

// canSteer reports whether the agent reads messages in the running turn.
func (r *remote) canSteer() bool { return r.steers && r.upstream() != nil }

// steer sends a message during the turn. done is called with the outcome, or with an
// error's code.
func (r *remote) steer(m ahp.Message, done func(outcome v1.SteeringOutcome, code int64)) {
	u := r.upstream()
	m = r.agent.host.contents.unwrapped(m)
	params := map[string]any{
		"sessionId": r.record.ACP, "prompt": rawmsg.Encode(ahpmap.Prompt(&m, u.images)),
		"_meta": v1.SteeringHost{Steering: &v1.SteeringOptions{IdleBehavior: string(v1.PromptRequired)}},
	}
	u.call(v1.MethodSteering, params, func(result, failure []byte) {
		var answer v1.SteeringResponse
		var failed struct {
			Code int64 `json:"code"`
		}
		if failure != nil {
			_ = exactjson.Unmarshal(failure, &failed) // any error has the same effect
		} else {
			_ = exactjson.Unmarshal(result, &answer)
		}
		done(answer.Outcome, failed.Code)
	})
}

// steers reports whether a client's message can go to the agent during the turn.
func (q *queue) steers() bool {
	return q.turn.shown() && q.remote.canSteer() && q.chat.state.SteeringMessage == nil
}

// steer passes a client's message to the agent during the turn. A message that the agent
// doesn't read is queued. If that is because a client stopped the turn, or if the agent may have
// read it, the message becomes the draft.
func (q *queue) steer(d *dispatched, a *ahp.PendingMessageSet) {
	q.chat.say(d.origin(), a)
	q.remote.steer(a.Message, func(outcome v1.SteeringOutcome, code int64) {
		defer q.save()
		if !q.chat.isSteering(a.ID) { // the chat was built again meanwhile
			return
		}
		if outcome == v1.Injected || outcome == v1.StartedNewTurn {
			q.remote.messages.add("")
			q.turn.interrupt(a.Message, a.ID)
			return
		}
		q.chat.say(nil, &ahp.PendingMessageRemoved{Kind: ahp.PendingSteering, ID: a.ID})
		mayBeRead := code == protocol.CodeInternal // the agent, or the server that has the session, is gone
		if (mayBeRead || code == protocol.CodeRequestCancelled) && q.chat.state.Draft == nil {
			q.chat.draft(&a.Message)
			q.chat.returned = q.chat.state.Draft
			return
		}
		q.chat.say(nil, &ahp.PendingMessageSet{Kind: ahp.PendingQueued, ID: a.ID, Message: a.Message})
		q.next()
	})
}

// isSteering reports whether a message waits for the agent to read it in the turn.
func (c *chat) isSteering(id string) bool {
	return c.ready() && c.state.SteeringMessage != nil && c.state.SteeringMessage.ID == id
}

// interrupt shows a message that the agent read during its turn: that turn ends, and the
// message starts another, on which the agent works now. If the turn has ended meanwhile,
// nothing will say when the agent has answered the message, so its turn is unsolicited. Open
// requests belong to their turn, so with any, the message is only a notice. pendingID is the
// message's id as the steering message, or "".
func (t *turn) interrupt(m ahp.Message, pendingID string) {
	if t.shown() && !t.asking() || !t.runs() && t.chat.active() == nil {
		next := running{unsolicited: true}
		if t.runs() {
			next = running{own: t.running.own, unsolicited: t.running.unsolicited, earlier: append(t.running.earlier, t.running.id)}
			t.close(v1.StopEndTurn)
		}
		t.start(next, m, pendingID)
		if next.unsolicited {
			t.speak()
		}
		return
	}
	if pendingID != "" {
		t.chat.say(nil, &ahp.PendingMessageRemoved{Kind: ahp.PendingSteering, ID: pendingID})
	}
	if t.shown() {
		t.chat.say(nil, t.mapper.Notice("You wrote: "+m.Text)...)
	}
}
