package events

import (
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/protocol"
)

// maxQueue bounds the prompts that wait for the running turn.
const maxQueue = 32

// A queue holds a session's prompts from the request to its answer, and keeps the law
// of the cancel: once a cancel is read, nothing is permitted. mu guards all that
// changes. A cancel is recorded and told to the agent under mu, and answers that
// permit are passed on under it. The agent's methods that are called then don't block.
type queue struct {
	peers  *peers
	loop   *loop
	record *record

	mu            sync.Mutex
	waiting       []*prompt
	current       *prompt // the prompt of the running turn
	turns         int     // numbers the turns
	asking        string  // the turn of a question that the next prompt answers, or ""
	pendingCancel bool    // a cancel was read while asking waited for a prompt
	closed        bool
}

// A prompt is a session/prompt request that has not been answered. All fields
// except request, blocks, trace and advice are guarded by the queue's mu.
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

// submit queues a prompt, unless it is advice for the turn that runs and the agent
// takes it; then it is answered at once. The reader calls it.
func (q *queue) submit(p *prompt) error {
	q.mu.Lock()
	if !q.closed && q.steer(p) {
		q.mu.Unlock()
		q.answerAdvice(p)
		return nil
	}
	defer q.mu.Unlock()
	if q.closed {
		return errClosed(q.peers.id)
	}
	if len(q.waiting) >= maxQueue {
		return protocol.Errorf(protocol.CodeInvalidRequest, "%d prompts are waiting already", maxQueue)
	}
	p.request.OnCancel(func() { q.cancelPrompt(p) })
	q.waiting = append(q.waiting, p)
	q.loop.wake()
	return nil
}

func errClosed(id string) error {
	return protocol.Errorf(protocol.CodeNotFound, "session %q is closed", id).With("sessionId", id)
}

// next takes the next prompt from the queue, or nil. It returns none while a cancel
// has not been handled that was read earlier. A prompt that is cancelled gets no turn.
func (q *queue) next() (p *prompt, cancelled bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 || q.pendingCancel {
		return nil, false
	}
	p = q.waiting[0]
	q.waiting = q.waiting[1:]
	if p.cancelled {
		return p, true
	}
	q.turns++
	p.turnID = "turn-" + strconv.Itoa(q.turns)
	if q.asking != "" { // p is the answer
		p.turnID, q.asking = q.asking, ""
	}
	q.current = p
	return p, false
}

// number makes the next turn the one after the nth.
func (q *queue) number(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.turns = n
}

// markDelivered records that the agent has the prompt. A cancel or advice that
// arrived earlier is passed on now.
func (q *queue) markDelivered(p *prompt) {
	q.mu.Lock()
	p.delivered = true
	if p.cancelled {
		q.tellCancel(p.turnID)
	}
	taken := q.takeAdvice(p)
	q.mu.Unlock()
	for _, a := range taken {
		q.answerAdvice(a)
	}
}

// finish removes the current prompt, nil if there is none, because its turn has ended.
func (q *queue) finish() (p *prompt, cancelled bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p, q.current = q.current, nil
	return p, p != nil && p.cancelled
}

// pause removes the current prompt, because its turn waits for the next one. It
// returns nil after a cancel: then the turn continues to its end.
func (q *queue) pause() *prompt {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.cancelled() {
		return nil
	}
	p := q.current
	q.current = nil
	return p
}

// ask makes the next prompt the answer to a question of a turn. With "", the next
// prompt is an ordinary one.
func (q *queue) ask(turnID string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asking = turnID
}

// askingTurn returns the turn of the question that the next prompt answers, or "".
func (q *queue) askingTurn() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.asking
}

// close makes the queue refuse prompts.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// takeAll removes all prompts that have not been answered, and returns them.
func (q *queue) takeAll() []*prompt {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := q.waiting
	if q.current != nil {
		all = append([]*prompt{q.current}, all...)
	}
	q.waiting, q.current = nil, nil
	return all
}
