package events

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// adviceIn returns what a prompt says to the turn that runs, "" if it is not meant
// for that or the agent takes no advice.
func (s *session) adviceIn(blocks []agent.Content) string {
	if _, can := s.peers.agent.(agent.Steerer); !can {
		return ""
	}
	advice, is := strings.CutPrefix(strings.TrimSpace(flatten(blocks)), "/"+agent.SteerCommand+" ")
	if !is {
		return ""
	}
	return strings.TrimSpace(advice)
}

// steer reports whether the agent has taken a prompt as advice for the turn that
// runs. Where the agent has not got the prompt of that turn yet, the advice waits
// in the queue for takeAdvice. The caller holds mu.
func (s *session) steer(p *prompt) bool {
	if p.advice == "" || s.cancelled() {
		return false
	}
	if s.current != nil && s.current.delivered {
		return s.advise(s.current, p)
	}
	p.advised = s.current
	if i := slices.IndexFunc(s.queue, func(p *prompt) bool { return !p.cancelled }); s.current == nil && i >= 0 {
		p.advised = s.queue[i] // it begins in a moment
	}
	return false
}

// advise reports whether the agent has taken a prompt as advice for the turn of
// another. The caller holds mu.
func (s *session) advise(running, p *prompt) bool {
	steerer, can := s.peers.agent.(agent.Steerer)
	return can && steerer.Steer(running.turnID, p.advice)
}

// takeAdvice removes the prompts from the queue that are advice for this one, and
// were read while the agent was given it. It returns those that the agent has
// taken. The caller holds mu.
func (s *session) takeAdvice(delivered *prompt) []*prompt {
	var taken []*prompt
	s.queue = slices.DeleteFunc(s.queue, func(p *prompt) bool {
		if p.advised != delivered || p.cancelled || delivered.cancelled || s.closing || !s.advise(delivered, p) {
			return false
		}
		taken = append(taken, p)
		return true
	})
	return taken
}

// answerAdvice answers a prompt that was taken as advice. What comes of it is said
// by the turn that runs.
func (s *session) answerAdvice(p *prompt) {
	s.record.advice(p)
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}
