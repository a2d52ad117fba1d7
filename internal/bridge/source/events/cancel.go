package events

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// cancel cancels the running prompt, the queued ones, and the turn of a question that
// the next prompt would answer. The reader calls it. It tells the agent at once,
// because the session's goroutine may be blocked by an editor that does not read.
func (q *queue) cancel() {
	q.mu.Lock()
	defer q.mu.Unlock()
	// Queued prompts are answered in order, after the running one.
	for _, p := range q.waiting {
		p.cancelled = true
	}
	for _, p := range q.unread {
		p.cancelled = true
	}
	switch {
	case q.current != nil:
		q.cancelStarted(q.current)
	case q.asking != "" && !q.pendingCancel:
		q.pendingCancel = true
		q.tellCancel(q.asking)
	}
	q.loop.wake()
}

// cancelPrompt removes and answers a queued prompt, or cancels a running one. A message
// that the agent has, but not read yet, is answered when it does or when its turn ends.
func (q *queue) cancelPrompt(p *prompt) {
	q.mu.Lock()
	i := slices.Index(q.waiting, p)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		p.cancelled = true
	} else {
		q.cancelStarted(p)
	}
	q.loop.wake()
	back := q.takeReturned()
	q.mu.Unlock()
	if i >= 0 {
		p.answerCancelled()
	}
	answerUninjected(back)
}

// cancelStarted cancels a prompt that is no longer in the queue. The caller holds
// mu.
func (q *queue) cancelStarted(p *prompt) {
	if p.delivered && !p.cancelled {
		q.tellCancel(p.turnID)
	}
	p.cancelled = true
}

// tellCancel passes a cancel on. The caller holds mu; see permit.
func (q *queue) tellCancel(turnID string) {
	q.peers.agent.Cancel(agent.Cancel{Type: agent.CommandCancel, SessionID: q.peers.id, TurnID: turnID})
}

// endCancel clears the cancel of a question in a message: the next prompt is no longer
// its answer.
func (q *queue) endCancel() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pendingCancel = false
}

// permit passes on a user's answer. It calls allow, or refuse if the turn was
// cancelled. The reader records a cancel and tells the agent under the same lock, so an
// answer that allows reaches the agent before the cancel, or not at all.
func (q *queue) permit(allow, refuse func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.cancelled() {
		refuse()
		return
	}
	allow()
}

// cancelled reports whether a cancel was read for the running prompt, or for a question
// that waits for the next prompt. The caller holds mu.
func (q *queue) cancelled() bool {
	return q.pendingCancel || q.current != nil && q.current.cancelled
}

func (q *queue) isCancelled() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.cancelled()
}
