package bridge

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

const (
	// cancelGrace is how long an agent may take to end a cancelled turn
	// itself. Then the prompt is answered without it.
	cancelGrace = 500 * time.Millisecond
	// outputPause is how long output may be held back that has grown too
	// little to be sent again.
	outputPause = 150 * time.Millisecond
	// maxQueue is how many prompts may wait for the running turn.
	maxQueue = 32
)

// A session is one conversation. Its goroutine, [session.serve], owns all that
// is not behind mu.
type session struct {
	conn    *conn
	client  *client
	rpc     rpcConn
	id      string
	cwd     string
	agent   agent.Session
	done    chan struct{} // serve has ended
	wake    chan struct{} // there is mail
	step    func(track.Step)
	tracker *track.Tracker
	frames  [2]frames // of messages and of thoughts
	turn    *turn
	turns   int
	flushAt time.Time   // when output that is held back is to be shown
	held    *question   // asked in a message: the next prompt is the answer. It is set under mu
	late    []v1.Update // messages that wait for a turn; see update
	later   []*question // to be asked in the same way when that one is answered

	mu      sync.Mutex
	queue   []*prompt
	current *prompt // the prompt of turn
	mail    []func()
	options []agent.Option
	choices []*choice
	closing bool
}

// A prompt is a session/prompt request that is not answered yet. Its fields
// but request and blocks are behind the session's mu.
type prompt struct {
	request   *request
	blocks    []agent.Content
	turnID    string
	given     bool // the agent has it
	cancelled bool
}

func newSession(c *conn, r *request, id, cwd string) *session {
	c.mu.Lock()
	cl := c.client
	c.mu.Unlock()
	s := &session{
		conn:    c,
		client:  cl,
		rpc:     r.rpc,
		id:      id,
		cwd:     cwd,
		done:    make(chan struct{}),
		wake:    make(chan struct{}, 1),
		tracker: track.New(cwd, c.tools),
	}
	s.step = s.show // bound once: the hot path makes no closures
	return s
}

// serve is the session's goroutine.
func (s *session) serve() {
	defer close(s.done)
	defer s.survive()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.rest(timer)
		select {
		case b, ok := <-s.events():
			if !ok {
				s.ended()
				return
			}
			s.take(b)
		case <-s.wake:
		case <-timer.C:
		}
		s.giveUp(nil)
		if !s.flushAt.IsZero() && !time.Now().Before(s.flushAt) {
			s.tracker.Flush(s.step)
		}
		s.readMail()
		s.advance()
	}
}

// rest sends what there is, now that there is nothing more to do, and sets the
// time at which to go on all the same.
func (s *session) rest(timer *time.Timer) {
	s.conn.stream.Flush()
	wait := s.choiceWait()
	switch waiting := s.tracker.Waiting(); {
	case !waiting:
		s.flushAt = time.Time{}
	case s.flushAt.IsZero():
		s.flushAt = time.Now().Add(outputPause)
	}
	if !s.flushAt.IsZero() {
		wait = min(wait, time.Until(s.flushAt))
	}
	if t := s.turn; t != nil && !t.deadline.IsZero() {
		wait = min(wait, time.Until(t.deadline))
	}
	timer.Reset(max(wait, 0))
}

// events is where the agent's events come from. While a question waits for the
// next prompt there are none: what the agent says then belongs to that prompt.
// Neither are there any while too much is asked. When the session is closed,
// no prompt will come and no answer.
func (s *session) events() <-chan agent.Batch {
	if (s.held != nil || s.asksEnough()) && !s.isClosing() {
		return nil
	}
	return s.agent.Events()
}

// take shows a batch, and those that have come meanwhile.
func (s *session) take(b agent.Batch) {
	for {
		for e := range b.Joined() {
			s.tracker.Add(e, s.step)
		}
		b.Release()
		// What an editor asks meanwhile does not wait for the end of a stream,
		// even where there is one processor.
		runtime.Gosched()
		if s.held != nil {
			s.pause()
			return
		}
		if s.mailed() || s.asksEnough() {
			return
		}
		var ok bool
		select {
		case b, ok = <-s.agent.Events():
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// advance does what the state asks for: it ends a turn that was cancelled long
// enough ago, and starts the next.
func (s *session) advance() {
	if s.turn != nil {
		s.checkCancel()
	}
	for s.turn == nil {
		p := s.next()
		if p == nil {
			return
		}
		s.start(p)
	}
}

// next takes the next prompt, and answers those before it that were cancelled.
func (s *session) next() *prompt {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
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
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
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
	s.poke()
	return nil
}

// poke wakes serve; it never blocks.
func (s *session) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// post has f run by serve.
func (s *session) post(f func()) {
	s.mu.Lock()
	s.mail = append(s.mail, f)
	s.mu.Unlock()
	s.poke()
}

func (s *session) mailed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.mail) > 0 || s.current != nil && s.current.cancelled
}

func (s *session) readMail() {
	s.mu.Lock()
	mail := s.mail
	s.mail = nil
	s.mu.Unlock()
	for _, f := range mail {
		f()
	}
}

// close stops the agent; the session's goroutine ends with it.
func (s *session) close(ctx context.Context) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.cancel()
	if err := s.agent.Close(ctx); err != nil {
		s.conn.log.Warn("the agent did not end well", "session", s.id, "error", err)
	}
	s.poke()
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

func (s *session) isClosed() error {
	return protocol.Errorf(protocol.CodeNotFound, "session %q is closed", s.id).With("sessionId", s.id)
}

func (s *session) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// survive keeps a defect in one session from ending the others.
func (s *session) survive() {
	p := recover()
	if p == nil {
		return
	}
	s.conn.log.Error("a session panicked", "session", s.id, "panic", p, "stack", string(debug.Stack()))
	s.conn.forget(s.id)
	s.withdrawAll()
	s.mu.Lock()
	s.closing = true
	open := s.queue
	if s.current != nil {
		open = append(open, s.current)
	}
	s.queue, s.current = nil, nil
	s.mu.Unlock()
	for _, p := range open {
		p.request.fail(errPanic)
	}
	s.giveUp(errPanic)
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if err := s.agent.Close(ctx); err != nil {
		s.conn.log.Warn("the agent did not end well", "session", s.id, "error", err)
	}
}

var errPanic = errors.New("the session failed; this is a defect in Turnwire, see its log")

// ended answers what is left when the agent's session is over.
func (s *session) ended() {
	s.readMail()
	if s.turn != nil {
		s.tracker.Cancel(s.step)
	}
	for p := s.next(); p != nil; p = s.next() {
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
	s.giveUp(s.isClosed())
	s.conn.stream.Flush()
}
