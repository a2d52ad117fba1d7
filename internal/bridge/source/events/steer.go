package events

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// adviceIn returns the advice in a prompt for the running turn. It returns "" if the
// prompt is no advice, or if the agent doesn't accept advice.
func adviceIn(blocks []agent.Content, to agent.Session) string {
	if _, can := to.(agent.Steerer); !can {
		return ""
	}
	advice, is := strings.CutPrefix(strings.TrimSpace(flatten(blocks)), "/"+agent.SteerCommand+" ")
	if !is {
		return ""
	}
	return strings.TrimSpace(advice)
}

// steer reports whether the agent accepted a prompt as advice for the running turn. If
// the agent does not have that turn's prompt yet, the advice waits in the queue for
// takeAdvice. The caller holds mu.
func (q *queue) steer(p *prompt) bool {
	if p.advice == "" || q.cancelled() {
		return false
	}
	if q.current != nil && q.current.delivered {
		return q.advise(q.current, p)
	}
	p.advised = q.current
	if i := slices.IndexFunc(q.waiting, func(p *prompt) bool { return !p.cancelled }); q.current == nil && i >= 0 {
		p.advised = q.waiting[i] // it is about to begin
	}
	return false
}

// advise reports whether the agent accepted p as advice for another prompt's turn. The
// caller holds mu.
func (q *queue) advise(running, p *prompt) bool {
	steerer, can := q.peers.agent.(agent.Steerer)
	return can && steerer.Steer(running.turnID, p.advice)
}

// takeAdvice passes on the queued advice for a prompt that was just delivered. It
// removes and returns the prompts that the agent accepted as advice. The caller holds
// mu.
func (q *queue) takeAdvice(delivered *prompt) []*prompt {
	var taken []*prompt
	q.waiting = slices.DeleteFunc(q.waiting, func(p *prompt) bool {
		if p.advised != delivered || p.cancelled || delivered.cancelled || q.closed || !q.advise(delivered, p) {
			return false
		}
		taken = append(taken, p)
		return true
	})
	return taken
}

// answerAdvice answers a prompt that was accepted as advice. Its effect is shown in the
// running turn.
func (q *queue) answerAdvice(p *prompt) {
	q.record.advice(p)
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}
