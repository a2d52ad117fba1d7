package bridge

import (
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxQueue is how many prompts may wait for the running turn.
const maxQueue = 32

// A prompt is a session/prompt request that is not answered yet. Its fields
// but request and blocks are guarded by the session's mu.
type prompt struct {
	request   *request
	blocks    []agent.Content
	turnID    string
	given     bool // the agent has it
	cancelled bool
}

// next takes the next prompt, and answers those before it that were cancelled.
// It takes none that followed a cancel which is not heeded yet.
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
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
}

// takeQueue takes all prompts that are not answered.
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

// submit queues a prompt. It is called by the reader.
func (s *session) submit(p *prompt) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return s.isClosed()
	}
	if len(s.queue) >= maxQueue {
		return protocol.Errorf(protocol.CodeInvalidRequest, "%d prompts are waiting already", maxQueue)
	}
	p.request.onCancel(func() { s.cancelPrompt(p) })
	s.queue = append(s.queue, p)
	s.notify()
	return nil
}

// given notes that the agent has the prompt. A cancel that came before could
// not be passed on; it is now.
func (s *session) given(p *prompt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.given = true
	if p.cancelled {
		s.tellCancel(p.turnID)
	}
}

// tellCancel passes a cancel on. The caller holds mu; see permit.
func (s *session) tellCancel(turnID string) {
	s.agent.Cancel(agent.Cancel{Type: agent.CommandCancel, SessionID: s.id, TurnID: turnID})
}

// cancel cancels the running prompt and those that wait, and the turn of a
// question that the next prompt would answer. It is called by the reader, and
// tells the agent at once: the session's goroutine may be waiting for an editor
// that does not read.
func (s *session) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Those that wait are answered in their turn, after the running one.
	for _, p := range s.queue {
		p.cancelled = true
	}
	switch {
	case s.current != nil:
		s.cancelGiven(s.current)
	case s.pendingQuestion != nil && !s.pendingCancel:
		s.pendingCancel = true
		s.tellCancel(s.pendingQuestion.question.turnID)
	}
	s.notify()
}

// cancelPrompt answers a prompt that waits, and cancels one that runs.
func (s *session) cancelPrompt(p *prompt) {
	s.mu.Lock()
	i := slices.Index(s.queue, p)
	if i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
		p.cancelled = true
	} else {
		s.cancelGiven(p)
	}
	s.notify()
	s.mu.Unlock()
	if i >= 0 {
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
}

// cancelGiven cancels a prompt that is not in the queue any more. The caller
// holds mu.
func (s *session) cancelGiven(p *prompt) {
	if p.given && !p.cancelled {
		s.tellCancel(p.turnID)
	}
	p.cancelled = true
}

// cancelled reports whether a cancel was read of what runs, or waits for the
// next prompt. The caller holds mu.
func (s *session) cancelled() bool {
	return s.pendingCancel || s.current != nil && s.current.cancelled
}

func (s *session) isCancelled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cancelled()
}
