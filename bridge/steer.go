package bridge

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// steer passes a prompt on to the turn that runs, where it is meant for that and
// the agent takes such advice; otherwise it is a prompt like any other. The
// reader calls it. The prompt is answered at once: what comes of it is said by
// the turn that runs.
func (s *session) steer(p *prompt) bool {
	advice, is := strings.CutPrefix(strings.TrimSpace(flatten(p.blocks)), "/"+agent.SteerCommand+" ")
	steerer, can := s.agent.(agent.Steerer)
	if !is || !can {
		return false
	}
	s.mu.Lock()
	taken := !s.closing && s.current != nil && s.current.delivered && !s.cancelled() && steerer.Steer(s.current.turnID, strings.TrimSpace(advice))
	s.mu.Unlock()
	if taken {
		s.recordAdvice(p)
		p.request.reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
	}
	return taken
}
