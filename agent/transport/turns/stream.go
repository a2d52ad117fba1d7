package turns

import (
	"context"
	"io"
	"iter"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/lease"
)

// reasonAbandoned is why what is asked in an abandoned turn is refused.
const reasonAbandoned = "the turn was cancelled, and is not waited for any more"

// A Stream is what the agent of a [LineBackend] says, across turns. Its receiver
// decodes, and so it is there that the end of a turn is seen, and that the rest
// of an abandoned turn is dropped.
type Stream struct {
	session *session
	closed  chan struct{}
	close   sync.Once

	mu    sync.Mutex
	turn  *Turn // the last one
	ended bool  // turn was abandoned, and its end has come
	heard bool  // what comes after that end is forwarded again
}

// NewStream returns a stream that begins with this turn.
func (t *Turn) NewStream() *Stream {
	return &Stream{session: t.session, turn: t, closed: make(chan struct{})}
}

// Pump forwards what d makes of the lines of r, in batches, until r ends. It
// waits while nobody receives. After Close it drops them, so that whoever
// writes to r can end.
func (s *Stream) Pump(r io.Reader, d dialect.Decoder) error {
	return dialect.Each(context.Background(), r, d, s.session.log, func(b agent.Batch) bool {
		s.session.offer(s.closed, lease.New(b, s.view))
		return true
	})
}

// Emit forwards one event.
func (s *Stream) Emit(e agent.Event) {
	s.session.offer(s.closed, lease.New(agent.One{Event: e}, s.view))
}

// Close drops all that comes from now on. The end of the session does the same.
func (s *Stream) Close() { s.close.Do(func() { close(s.closed) }) }

// Turn is the id of the stream's last turn.
func (s *Stream) Turn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn.Prompt.TurnID
}

// Begin makes t the stream's turn. It refuses while the agent may still be busy
// with an abandoned one.
func (s *Stream) Begin(t *Turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn.isAbandoned() && !s.ended {
		return false
	}
	s.turn, s.ended, s.heard = t, false, false
	return true
}

// Reopen has an agent heard again whose abandoned turn has ended. It refuses
// while that may still go on.
func (s *Stream) Reopen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = s.ended
	return s.ended || !s.turn.isAbandoned()
}

// muted returns the stream's turn if what comes now is dropped.
func (s *Stream) muted() (t *Turn, muted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn, s.turn.isAbandoned() && !s.heard
}

func (s *Stream) isClosed() bool {
	select {
	case <-s.closed:
		return true
	case <-s.session.ctx.Done():
		return true
	default:
		return false
	}
}

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
			if t.isEnd(e) {
				t.end()
			}
			if !yield(e) {
				return
			}
		}
	}
}

// drain looks for the end of an abandoned turn. Nobody hears what is asked
// meanwhile, so it is refused.
func (s *Stream) drain(t *Turn, events iter.Seq[agent.Event]) {
	id, turnID := t.Prompt.SessionID, t.Prompt.TurnID
	for e := range events {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			s.session.Confirm(agent.ConfirmationResponse{
				SessionID: id, TurnID: turnID, ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID,
				Decision: agent.NotDecided, Reason: reasonAbandoned,
			})
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
