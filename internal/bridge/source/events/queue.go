package events

import (
	"slices"
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/protocol"
)

// maxQueue bounds the prompts that wait behind the running turn.
const maxQueue = 32

// A queue holds a session's prompts from request to response. It enforces the cancel
// rule: after a cancel is read, nothing is permitted. mu guards all fields that change.
// A cancel is recorded and passed to the agent under mu, and so are answers that
// permit. The agent methods called under mu don't block.
type queue struct {
	peers  *peers
	loop   *loop
	record *record

	mu            sync.Mutex
	waiting       []*prompt
	unread        []*prompt // messages for the running turn that the agent has, but not read yet
	steers        int       // counts those messages
	current       *prompt   // the prompt of the running turn
	turns         int       // counts the turns
	asking        string    // the turn of the question that the next prompt answers, or ""
	pendingCancel bool      // a cancel was read while asking was set
	closed        bool
}

// A prompt is an unanswered session/prompt request. The queue's mu guards all fields
// except request, blocks, trace and messageID.
type prompt struct {
	request   *core.Call
	blocks    []agent.Content
	trace     agent.TraceContext
	messageID string    // the client's id of the message, or ""
	steer     *steering // nil unless it is a message for the running turn
	turnID    string
	tells     bool // it is a message of Turnwire's; see [session.goOn]
	delivered bool // the agent has it
	cancelled bool
}

// submit queues a prompt. If it is a message for the running turn, submit passes it on
// instead. The reader calls it.
func (q *queue) submit(p *prompt) error {
	back, err := q.add(p)
	answerUninjected(back)
	return err
}

// add is submit, except that it returns the messages that go back to the client.
func (q *queue) add(p *prompt) (back []*prompt, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, errClosed(q.peers.id)
	}
	if len(q.waiting)+len(q.unread) >= maxQueue {
		return nil, protocol.Errorf(protocol.CodeInvalidRequest, "%d prompts are already queued", maxQueue)
	}
	p.request.OnCancel(func() { q.cancelPrompt(p) })
	p.request.Accept()
	if q.inject(p) {
		return nil, nil
	}
	q.waiting = append(q.waiting, p)
	q.loop.wake()
	return q.takeReturned(), nil
}

func errClosed(id string) error {
	return protocol.Errorf(protocol.CodeNotFound, "session %q is closed", id).With("sessionId", id)
}

// next removes and returns the next prompt, or nil. It returns nil while an earlier
// cancel is still unhandled. A cancelled prompt gets no turn.
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
	if q.asking != "" { // p answers the question
		p.turnID, q.asking = q.asking, ""
	}
	q.current = p
	return p, false
}

// number continues the turn numbering after turn n.
func (q *queue) number(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.turns = n
}

// markDelivered records that the agent has the prompt. It passes on any cancel or
// messages that arrived before.
func (q *queue) markDelivered(p *prompt) {
	q.mu.Lock()
	p.delivered = true
	if p.cancelled {
		q.tellCancel(p.turnID)
	}
	back := q.injectWaiting(p)
	q.mu.Unlock()
	answerUninjected(back)
}

// finish removes the current prompt, because its turn ended. p may be nil. back are the
// messages that go back to the client.
func (q *queue) finish() (p *prompt, cancelled bool, back []*prompt) {
	q.mu.Lock()
	defer q.mu.Unlock()
	p, q.current = q.current, nil
	return p, p != nil && p.cancelled, q.endSteering()
}

// pause removes the current prompt, because its turn waits for the next one. After a
// cancel it returns nil, and the turn continues to its end.
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

// expectAnswer makes the next prompt the answer to a question of a turn. If turnID is
// "", the next prompt is an ordinary one.
func (q *queue) expectAnswer(turnID string) {
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

// takeAll removes and returns all unanswered prompts.
func (q *queue) takeAll() []*prompt {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := slices.Concat(q.unread, q.waiting)
	if q.current != nil {
		all = append([]*prompt{q.current}, all...)
	}
	q.waiting, q.unread, q.current = nil, nil, nil
	return all
}
