package events

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// adviceIn returns what a prompt says to the turn that runs, "" if it is not meant
// for that or the agent takes no advice.
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

// steer reports whether the agent has taken a prompt as advice for the turn that
// runs. If the agent has not got the prompt of that turn yet, the advice waits
// in the queue for takeAdvice. The caller holds mu.
func (q *queue) steer(p *prompt) bool {
	if p.advice == "" || q.cancelled() {
		return false
	}
	if q.current != nil && q.current.delivered {
		return q.advise(q.current, p)
	}
	p.advised = q.current
	if i := slices.IndexFunc(q.waiting, func(p *prompt) bool { return !p.cancelled }); q.current == nil && i >= 0 {
		p.advised = q.waiting[i] // it begins in a moment
	}
	return false
}

// advise reports whether the agent has taken a prompt as advice for the turn of
// another. The caller holds mu.
func (q *queue) advise(running, p *prompt) bool {
	steerer, can := q.peers.agent.(agent.Steerer)
	return can && steerer.Steer(running.turnID, p.advice)
}

// takeAdvice removes the prompts from the queue that are advice for this one, and
// were read while the agent was given it. It returns those that the agent has
// taken. The caller holds mu.
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

// answerAdvice answers a prompt that was taken as advice. The running turn shows what
// comes of it.
func (q *queue) answerAdvice(p *prompt) {
	q.record.advice(p)
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}
