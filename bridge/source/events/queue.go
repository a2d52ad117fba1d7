package events

import (
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxQueue bounds the prompts that wait for the running turn.
const maxQueue = 32

// A prompt is a session/prompt request that has not been answered. All fields
// except request and blocks are guarded by the session's mu.
type prompt struct {
	request   *core.Call
	blocks    []agent.Content
	trace     agent.TraceContext
	advice    string  // what it says to a turn that runs, if it is meant for one
	advised   *prompt // the prompt of that turn, if the agent has not got it yet
	turnID    string
	delivered bool // it was passed to the agent
	cancelled bool
}

// next returns the next prompt, and answers cancelled prompts before it. It
// returns none while a cancel has not been handled that was read earlier.
func (s *session) next() *prompt {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 || s.pendingCancel {
			s.mu.Unlock()
			return nil
		}
		p := s.queue[0]
		s.queue = s.queue[1:]
		if !p.cancelled {
			s.turns++
			p.turnID = "turn-" + strconv.Itoa(s.turns)
			s.current = p
			s.mu.Unlock()
			return p
		}
		s.mu.Unlock()
		s.sendQueuedUpdates()
		p.request.Reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
}

// takeQueue removes all prompts that have not been answered, and returns them.
func (s *session) takeQueue() []*prompt {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.queue
	if s.current != nil {
		all = append([]*prompt{s.current}, all...)
	}
	s.queue, s.current = nil, nil
	return all
}

// submit queues a prompt, unless it is advice for the turn that runs and the agent
// takes it; then it is answered at once. The reader calls it.
func (s *session) submit(p *prompt) error {
	s.mu.Lock()
	if !s.closing && s.steer(p) {
		s.mu.Unlock()
		s.answerAdvice(p)
		return nil
	}
	defer s.mu.Unlock()
	if s.closing {
		return s.isClosed()
	}
	if len(s.queue) >= maxQueue {
		return protocol.Errorf(protocol.CodeInvalidRequest, "%d prompts are waiting already", maxQueue)
	}
	p.request.OnCancel(func() { s.cancelPrompt(p) })
	s.queue = append(s.queue, p)
	s.loop.wake()
	return nil
}

// markDelivered records that the agent has the prompt. A cancel or advice that
// arrived earlier is passed on now.
func (s *session) markDelivered(p *prompt) {
	s.mu.Lock()
	p.delivered = true
	if p.cancelled {
		s.tellCancel(p.turnID)
	}
	taken := s.takeAdvice(p)
	s.mu.Unlock()
	for _, a := range taken {
		s.answerAdvice(a)
	}
}

// tellCancel passes a cancel on. The caller holds mu; see permit.
func (s *session) tellCancel(turnID string) {
	s.peers.agent.Cancel(agent.Cancel{Type: agent.CommandCancel, SessionID: s.peers.id, TurnID: turnID})
}

// cancel cancels the running prompt, the queued ones, and the turn of a
// question that the next prompt would answer. The reader calls it. It tells the
// agent at once, because the session's goroutine may be waiting for an editor
// that does not read.
func (s *session) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Queued prompts are answered in order, after the running one.
	for _, p := range s.queue {
		p.cancelled = true
	}
	switch {
	case s.current != nil:
		s.cancelStarted(s.current)
	case s.pendingQuestion != nil && !s.pendingCancel:
		s.pendingCancel = true
		s.tellCancel(s.pendingQuestion.question.turnID)
	}
	s.loop.wake()
}

// cancelPrompt answers a queued prompt, and cancels a running one.
func (s *session) cancelPrompt(p *prompt) {
	s.mu.Lock()
	i := slices.Index(s.queue, p)
	if i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
		p.cancelled = true
	} else {
		s.cancelStarted(p)
	}
	s.loop.wake()
	s.mu.Unlock()
	if i >= 0 {
		p.request.Reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
}

// cancelStarted cancels a prompt that is no longer in the queue. The caller holds
// mu.
func (s *session) cancelStarted(p *prompt) {
	if p.delivered && !p.cancelled {
		s.tellCancel(p.turnID)
	}
	p.cancelled = true
}

// cancelled reports whether a cancel was read for the running prompt, or for a
// question that waits for the next prompt. The caller holds mu.
func (s *session) cancelled() bool {
	return s.pendingCancel || s.current != nil && s.current.cancelled
}

func (s *session) isCancelled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancelled()
}
