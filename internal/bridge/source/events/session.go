package events

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/turnwire/turnwire/agent"
)

const (
	// cancelGrace bounds how long an agent may take to end a cancelled turn itself.
	// After that the prompt is answered without it.
	cancelGrace = 500 * time.Millisecond
	// closeGrace bounds closing one agent while the connection continues.
	closeGrace = 900 * time.Millisecond
	// refuseGrace bounds how long closing an agent waits until its open requests are
	// refused. The session may be waiting for an editor at that time.
	refuseGrace = 100 * time.Millisecond
)

// A session is one conversation. Its goroutine, [session.serve], owns the parts without
// a lock.
type session struct {
	sessions *registry // contains the session
	peers    *peers
	loop     *loop
	stream   *stream
	out      *output
	turn     *turn
	pending  *pendingRequests
	record   *record
	hints    hints
	setup    setup
	queue    *queue
	choices  *choices
	memory   memory
	cursors  *cursors
}

// serve runs the session's goroutine.
func (s *session) serve() {
	defer close(s.loop.done)
	defer s.sessions.release()
	defer s.recoverPanic()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	s.out.open()
	for !s.loop.isStopping() {
		s.flushAndSetTimer(timer)
		select {
		case b, ok := <-s.events():
			if !ok {
				s.end()
				return
			}
			s.forward(b)
		case <-s.loop.woken:
		case <-timer.C:
		}
		if s.loop.isStopping() {
			break
		}
		s.checkCancel() // before the answers that arrived with it
		s.choices.expire()
		s.stream.flushDue()
		s.hints.check()
		s.loop.runTasks()
		s.advance()
	}
	s.end()
}

// flushAndSetTimer flushes the stream, because the session is idle, and sets the timer
// for the next deadline.
func (s *session) flushAndSetTimer(timer *time.Timer) {
	s.peers.view.Flush()
	wait := s.choices.wait()
	for _, at := range [...]time.Time{s.stream.deadline(), s.hints.at, s.turn.deadline} {
		if !at.IsZero() {
			wait = min(wait, time.Until(at))
		}
	}
	timer.Reset(max(wait, 0))
}

// events returns the channel of the agent's events. It returns nil while a question
// waits for the next prompt, because later events belong to that prompt, and while too
// many requests are open.
func (s *session) events() <-chan agent.Batch {
	if s.pending.areFull() {
		return nil
	}
	return s.peers.agent.Events()
}

// forward shows a batch, and any further batches that have already arrived.
func (s *session) forward(b agent.Batch) {
	for {
		s.peers.view.AwaitRoom()
		s.record.awaitRoom()
		s.stream.addBatch(b, s.loop.isStopping)
		// Let the reader run: the editor's messages must not wait for the end of a
		// stream, even with a single processor.
		runtime.Gosched()
		if s.pending.areFull() || s.loop.hasTasks() || s.queue.isCancelled() {
			return
		}
		var ok bool
		select {
		case b, ok = <-s.peers.agent.Events():
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// close cancels and answers everything that is running, and stops the agent, which ends
// the session's goroutine.
func (s *session) close(ctx context.Context) {
	s.stop()
	timer := time.NewTimer(refuseGrace)
	defer timer.Stop()
	select {
	case <-s.pending.settled: // the agent has its answers
	case <-timer.C:
	case <-ctx.Done():
	}
	s.peers.closeAgent(ctx)
	select {
	case <-s.loop.done:
	case <-ctx.Done():
	}
}

// stop cancels everything that is running. Its calls are answered without waiting for
// the agent.
func (s *session) stop() {
	s.queue.cancel() // before closing the queue, so that the agent receives the cancel
	s.queue.close()
	s.choices.close()
	s.loop.stop()
}

// recoverPanic keeps a panic in one session from ending the others.
func (s *session) recoverPanic() {
	p := recover()
	if p == nil {
		return
	}
	s.peers.log.Error("a session panicked", "panic", p, "stack", string(debug.Stack()))
	s.sessions.forget(s.peers.id)
	s.pending.refuseAll()
	s.stop()
	for _, p := range s.queue.takeAll() {
		p.request.Fail(errPanic)
	}
	s.choices.failAll(errPanic)
	s.record.close()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	s.peers.closeAgent(ctx)
}

var errPanic = errors.New("the session failed; this is a bug in Turnwire, see its log")

// end answers all remaining calls without the agent.
func (s *session) end() {
	s.pending.close(!s.sessions.isEnding())
	if s.turn.running {
		s.stream.cancel()
	}
	for _, p := range s.queue.takeAll() {
		p.answerCancelled()
	}
	s.choices.failAll(errClosed(s.peers.id))
	s.peers.view.Flush()
	s.record.close()
}
