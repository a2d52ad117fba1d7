package hub

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// steer passes on a message for the running turn of s. If there is no such turn, the
// source must start none: the hub sends a prompt itself, so that all clients see it and
// its end.
func (q *request) steer(s *session, a *attachment) {
	params, owned := core.RequirePrompt(q.params)
	at := s.peer
	if at == nil {
		at = q.client.hub.connect()
	}
	q.send(at, q.method, params, func(result, failure []byte) {
		switch v1.SteeringOutcome(rawmsg.MemberText(result, "outcome")) {
		case v1.Injected, v1.StartedNewTurn:
			s.showMessage(a, q.params)
		case v1.PromptRequired:
			if !owned && s.hub.sessions[s.id] == s {
				result = rawmsg.Encode(v1.SteeringResponse{Outcome: v1.StartedNewTurn})
				a.prompt(nil, rawmsg.Without(q.params, "_meta"), func(_, _ []byte) {}) // the client doesn't wait for the turn
			}
		}
		q.settle(a, result, failure)
	})
}
