package bridge

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

const (
	// cancelGrace is how long an agent may take to end a cancelled turn
	// itself. Then the prompt is answered without it.
	cancelGrace = 500 * time.Millisecond
	// closeGrace bounds the end of one agent while the connection goes on.
	closeGrace = 900 * time.Millisecond
	// refuseGrace is how long an agent that is stopped may wait until what it
	// asks is refused. The session may be waiting for an editor meanwhile.
	refuseGrace = 100 * time.Millisecond
	// outputPause is how long output may be held back that has grown too
	// little to be sent again.
	outputPause = 150 * time.Millisecond
)

// A session is one conversation. Its goroutine, [session.serve], owns all that
// is not behind mu.
type session struct {
	conn            *conn
	client          *client
	rpc             rpcConn
	id              string
	cwd             string
	agent           agent.Session
	settled         chan struct{} // all that was asked is answered, at the end
	done            chan struct{} // serve has ended
	wake            chan struct{} // there are tasks
	step            func(normalize.Step)
	normalizer      *normalize.Normalizer
	joiner          normalize.Joiner
	frames          [2]frames // of messages and of thoughts
	turn            *turn
	turns           int
	flushAt         time.Time // when output that is held back is to be shown
	pendingQuestion *ask      // asked in a message: the next prompt is the answer. It is set under mu
	deferred        []*ask
	queuedUpdates   []v1.Update // updates of turns that wait for one; see update
	ending          ending      // of a turn that was cancelled while it waited for a prompt

	stopping atomic.Bool // closing, for the loops that take no lock

	mu            sync.Mutex
	queue         []*prompt
	current       *prompt // the prompt of turn
	pendingCancel bool    // a cancel was read while pendingQuestion waited for a prompt
	tasks         []func()
	options       []agent.Option
	choices       []*choice
	closing       bool
}

// An ending turn is one of the agent's whose prompt is answered already. The
// agent has until a time to end it; no other prompt is given to it before.
type ending struct {
	turnID string
	until  time.Time // zero where there is none
}

func newSession(c *conn, r *request, id, cwd string) *session {
	c.mu.Lock()
	cl := c.client
	c.mu.Unlock()
	s := &session{
		conn:       c,
		client:     cl,
		rpc:        r.rpc,
		id:         id,
		cwd:        cwd,
		settled:    make(chan struct{}),
		done:       make(chan struct{}),
		wake:       make(chan struct{}, 1),
		normalizer: normalize.New(cwd, c.tools),
	}
	s.step = s.show // bound once: the hot path makes no closures
	return s
}

// serve is the session's goroutine.
func (s *session) serve() {
	defer close(s.done)
	defer s.conn.leavePlace()
	defer s.recoverPanic()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for !s.isClosing() {
		s.rest(timer)
		select {
		case b, ok := <-s.events():
			if !ok {
				s.end()
				return
			}
			s.forward(b)
		case <-s.wake:
		case <-timer.C:
		}
		if s.isClosing() {
			break
		}
		s.checkCancel() // before the answers that came with it
		s.giveUp(nil)
		if !s.flushAt.IsZero() && !time.Now().Before(s.flushAt) {
			s.normalizer.Flush(s.step)
		}
		s.runTasks()
		s.advance()
	}
	s.end()
}

// rest sends what there is, now that there is nothing more to do, and sets the
// time at which to go on all the same.
func (s *session) rest(timer *time.Timer) {
	s.conn.stream.Flush()
	wait := s.choiceWait()
	switch waiting := s.normalizer.Waiting(); {
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
	if !s.ending.until.IsZero() {
		wait = min(wait, time.Until(s.ending.until))
	}
	timer.Reset(max(wait, 0))
}

// events is where the agent's events come from. While a question waits for the
// next prompt there are none: what the agent says then belongs to that prompt.
// Neither are there any while too much is asked.
func (s *session) events() <-chan agent.Batch {
	if s.pendingQuestion != nil || s.asksEnough() {
		return nil
	}
	return s.agent.Events()
}

// forward shows a batch, and those that have come meanwhile.
func (s *session) forward(b agent.Batch) {
	for {
		for e := range s.joiner.Join(b.Events()) {
			if s.stopping.Load() {
				break
			}
			s.normalizer.Add(e, s.step)
		}
		b.Release()
		// What an editor asks meanwhile does not wait for the end of a stream,
		// even where there is one processor.
		runtime.Gosched()
		if s.pendingQuestion != nil || s.hasTasks() || s.asksEnough() {
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

// advance does what the state asks for: it answers a prompt whose turn waits
// for the next, and starts the next.
func (s *session) advance() {
	for {
		switch {
		case s.turn != nil && s.pendingQuestion != nil:
			s.pause()
		case s.turn != nil || !s.ending.until.IsZero():
			return
		}
		if s.turn != nil {
			return
		}
		p := s.next()
		if p == nil {
			return
		}
		s.start(p)
	}
}

// notify wakes serve; it never blocks.
func (s *session) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// enqueue has f run by serve.
func (s *session) enqueue(f func()) {
	s.mu.Lock()
	s.tasks = append(s.tasks, f)
	s.mu.Unlock()
	s.notify()
}

func (s *session) hasTasks() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tasks) > 0 || s.current != nil && s.current.cancelled
}

func (s *session) runTasks() {
	s.mu.Lock()
	tasks := s.tasks
	s.tasks = nil
	s.mu.Unlock()
	for _, f := range tasks {
		f()
	}
}

// close cancels what runs, has it answered at once, and stops the agent; the
// session's goroutine ends with it.
func (s *session) close(ctx context.Context) {
	s.stop()
	timer := time.NewTimer(refuseGrace)
	defer timer.Stop()
	select {
	case <-s.settled: // the agent has its answers
	case <-timer.C:
	case <-ctx.Done():
	}
	if err := s.agent.Close(ctx); err != nil {
		s.conn.log.Warn("the agent did not end well", "session", s.id, "error", err)
	}
	select {
	case <-s.done:
	case <-ctx.Done():
	}
}

// stop cancels what runs and has it answered without waiting for the agent.
func (s *session) stop() {
	s.cancel() // before closing: the agent hears that it is cancelled
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.stopping.Store(true)
	s.notify()
}

func (s *session) isClosed() error {
	return protocol.Errorf(protocol.CodeNotFound, "session %q is closed", s.id).With("sessionId", s.id)
}

func (s *session) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closing
}

// recoverPanic keeps a defect in one session from ending the others.
func (s *session) recoverPanic() {
	p := recover()
	if p == nil {
		return
	}
	s.conn.log.Error("a session panicked", "session", s.id, "panic", p, "stack", string(debug.Stack()))
	s.conn.forget(s.id)
	s.refuseAll()
	s.stop()
	for _, p := range s.takeQueue() {
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

// end answers all that is left, without the agent.
func (s *session) end() {
	s.refuseAll()
	close(s.settled)
	if s.turn != nil {
		s.normalizer.Cancel(s.step)
	}
	for _, p := range s.takeQueue() {
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	}
	s.giveUp(s.isClosed())
	s.conn.stream.Flush()
}
