package lifecycle

import (
	"context"
	"io"
	"iter"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/batch"
)

// reasonAbandoned is the reason for refusing requests in an abandoned turn.
const reasonAbandoned = "the turn was cancelled and abandoned"

// A Stream carries the events of a [LineBackend]'s agent, across turns. The
// receiver decodes the events, so the end of a turn is detected there, and the
// rest of an abandoned turn is dropped there.
//
// Before its first turn, a stream forwards events about the session. The first
// event that belongs to a turn waits for the turn, and so does everything after
// it. Agents are thus forced to wait for their prompt.
type Stream struct {
	// Watch is called with each event before the receiver gets it. It must not
	// block. It must be set before Pump.
	Watch func(agent.Event)

	session *session
	ctx     context.Context // ends with Close, or with the session
	stop    context.CancelFunc
	begun   chan struct{} // closed when the first turn has begun
	settled chan struct{} // closed when the stream waits for its first turn, or has ended
	settle  sync.Once

	mu         sync.Mutex
	turn       *Turn // the last turn; nil before the first
	ended      bool  // turn was abandoned, and has ended
	forwarding bool  // events after that end are forwarded again
}

// NewStream returns a stream that begins with this turn.
func (t *Turn) NewStream() *Stream {
	s := t.session.newStream()
	s.turn = t
	close(s.begun)
	return s
}

func (s *session) newStream() *Stream {
	t := &Stream{session: s, begun: make(chan struct{}), settled: make(chan struct{})}
	t.ctx, t.stop = context.WithCancel(s.ctx)
	return t
}

// Settled is closed when nothing more will arrive before the first turn.
func (s *Stream) Settled() <-chan struct{} { return s.settled }

// Pump forwards the events that d decodes from r, in batches, until EOF. It
// blocks while nobody receives. After Close, it discards them, so that the
// writer of r can finish.
func (s *Stream) Pump(r io.Reader, d dialect.Decoder) error {
	defer s.settle.Do(func() { close(s.settled) })
	err := dialect.Each(s.ctx, r, d, s.session.log, func(b agent.Batch) bool {
		if !isClosed(s.begun) {
			s.early(b)
			return true
		}
		return s.session.offer(s.ctx.Done(), batch.New(b, s.view))
	})
	if s.isClosed() {
		_, err = io.Copy(io.Discard, r)
	}
	return err
}

// early forwards a batch that arrived before the first turn, one event at a
// time, so that it can wait before any of them.
func (s *Stream) early(b agent.Batch) {
	defer b.Release()
	for e := range b.Events() {
		if !agent.OfSession(e) {
			s.settle.Do(func() { close(s.settled) })
			select {
			case <-s.begun:
			case <-s.ctx.Done():
				return
			}
		}
		l := batch.New(agent.One{Event: e}, s.view)
		if !s.session.offer(s.ctx.Done(), l) {
			return
		}
		s.session.await(l)
	}
}

// Emit forwards one event.
func (s *Stream) Emit(e agent.Event) {
	s.session.offer(s.ctx.Done(), batch.New(agent.One{Event: e}, s.view))
}

// Close drops everything from now on, as does the end of the session.
func (s *Stream) Close() { s.stop() }

// Turn returns the id of the stream's last turn, or "" before the first.
func (s *Stream) Turn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil {
		return ""
	}
	return s.turn.Prompt.TurnID
}

// Begin makes t the stream's turn. It returns false if the agent may still be
// busy with an abandoned turn.
func (s *Stream) Begin(t *Turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isBusy() && !s.ended {
		return false
	}
	if s.turn == nil {
		close(s.begun)
	}
	s.turn, s.ended, s.forwarding = t, false, false
	return true
}

// Reopen delivers events again after an abandoned turn has ended. It returns
// false if that turn may still be running.
func (s *Stream) Reopen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forwarding = s.ended
	return s.ended || !s.isBusy()
}

// isBusy reports whether the last turn was abandoned. The caller holds mu.
func (s *Stream) isBusy() bool { return s.turn != nil && s.turn.isAbandoned() }

// muted returns the stream's turn, and whether incoming events are dropped.
func (s *Stream) muted() (t *Turn, muted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn, s.isBusy() && !s.forwarding
}

func (s *Stream) isClosed() bool { return s.ctx.Err() != nil }

func (s *Stream) view(events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		if s.isClosed() {
			return
		}
		t, muted := s.muted()
		if muted {
			s.drain(t, events)
			return
		}
		for e := range events {
			if s.Watch != nil {
				s.Watch(e)
			}
			if r, ok := e.(*agent.ToolRequested); ok {
				s.session.useTool(t, r)
			}
			if t != nil && t.isEnd(e) {
				t.end()
			}
			if !yield(e) {
				return
			}
		}
	}
}

// drain looks for the end of an abandoned turn. It refuses the requests in it,
// because nobody sees them.
func (s *Stream) drain(t *Turn, events iter.Seq[agent.Event]) {
	id, turnID := t.Prompt.SessionID, t.Prompt.TurnID
	for e := range events {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			s.session.Confirm(agent.ConfirmationResponse{
				SessionID: id, TurnID: turnID, ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID,
				Decision: agent.NotDecided, Reason: reasonAbandoned,
			})
		case *agent.ToolRequested:
			s.session.respondTool(agent.ToolResponse{
				Type: agent.CommandTool, SessionID: id, TurnID: turnID, ToolCallID: e.ToolCallID, Text: "Error: " + reasonAbandoned, Cancelled: true,
			})
		case *agent.EditorRequested:
			s.session.Respond(agent.EditorResponse{SessionID: id, TurnID: turnID, RequestID: e.RequestID, Error: reasonAbandoned})
		case *agent.QuestionAsked:
			s.session.Answer(agent.QuestionResponse{
				SessionID: id, TurnID: turnID, QuestionID: e.QuestionID, Cancelled: true, Reason: reasonAbandoned,
			})
		}
		if t.isEnd(e) {
			s.mu.Lock()
			s.ended = s.ended || s.turn == t
			s.mu.Unlock()
		}
	}
}
