package relay

import (
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// ownTurn makes the relay start the turn if the agent has none for a message of
// _session/steering. Otherwise the turn would have no prompt, and its updates would be
// held until the next one. The caller holds the lock.
func (q *request) ownTurn() {
	if params, owned := core.RequirePrompt(q.params); !owned {
		q.params, q.startsTurn = params, true
	}
}

// steered handles the agent's answer to a message during a turn. The caller holds the
// lock.
func (q *request) steered(m jsonrpc.Message) {
	if q.session == nil || m.Error != nil {
		q.pass(m)
		return
	}
	switch v1.SteeringOutcome(rawmsg.MemberText(objectOf(m.Result), "outcome")) {
	case v1.Injected, v1.StartedNewTurn:
		blocks, _, _ := rawmsg.Member(q.params, "prompt")
		showPrompt(blocks, func(body []byte) { q.session.noteUpdate(body, false) })
	case v1.PromptRequired:
		if q.startsTurn {
			q.startTurn()
			return
		}
	}
	q.pass(m)
}

// notSteered answers a message that is too late for its turn. The caller holds the lock.
func (q *request) notSteered() {
	r := q.session.relay
	if q.startsTurn {
		q.startTurn()
		return
	}
	r.requests.reply(q, rawmsg.Encode(v1.SteeringResponse{Outcome: v1.PromptRequired, Reason: v1.ReasonNoRunningTurn}))
}

// startTurn sends a message as a prompt, whose response is dropped. The caller holds the
// lock.
func (q *request) startTurn() {
	r := q.session.relay
	r.requests.reply(q, rawmsg.Encode(v1.SteeringResponse{Outcome: v1.StartedNewTurn}))
	prompt := &request{method: v1.MethodSessionPrompt, params: rawmsg.Without(q.params, "_meta")}
	prompt.call = core.NewCall(prompt.method, prompt.params, func(*core.Call, []byte, error) {})
	r.requests.add(prompt)
	r.pass(prompt)
}
