package turns

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// configureTimeout bounds how long a choice may take: the person waits for it.
const configureTimeout = 8 * time.Second

var (
	errClosed = errors.New("the session is closed")
	errFixed  = errors.New("the agent cannot be told what to set")

	errOvertime = errors.New("the agent has not answered what was chosen before it")
)

// session is the order around a backend.
type session struct {
	backend Backend
	log     *slog.Logger
	events  chan agent.Batch
	ctx     context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup

	shutDown sync.Once
	gone     chan struct{} // closed when nothing of the session is left
	failed   error         // of closing the backend; set before gone is closed

	mu       sync.Mutex
	turn     *Turn // the last one; nil before the first
	closed   bool
	commands []command
	wake     chan struct{}
	chosen   chan struct{} // closed when the last choice is passed on
}

// NewSession returns a session of b, which it owns from now on.
func NewSession(b Backend, log *slog.Logger) agent.Session {
	s := &session{
		backend: b,
		log:     log,
		events:  make(chan agent.Batch),
		gone:    make(chan struct{}),
		wake:    make(chan struct{}, 1),
		chosen:  make(chan struct{}),
	}
	close(s.chosen)
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.work.Go(s.deliver)
	if c, ok := b.(Configurable); ok {
		s.work.Go(func() { c.Announce(s.ctx, s.say) })
	}
	return s
}

// Events implements [agent.Session].
func (s *session) Events() <-chan agent.Batch { return s.events }

// Prompt implements [agent.Session]. A turn that was abandoned and has not
// returned yet delays the next.
func (s *session) Prompt(p agent.Prompt) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	last, chosen, t := s.turn, s.chosen, newTurn(s, p)
	s.turn = t
	s.work.Go(func() {
		if last != nil {
			<-last.done
		}
		select {
		case <-chosen:
		case <-t.cancelled:
		case <-t.ctx.Done():
		}
		t.run()
	})
	return nil
}

// Options implements [agent.Session]. The agent has to be asked for them.
func (s *session) Options() []agent.Option { return nil }

// Configure implements [agent.Session]. Choices are passed on one after
// another, in a goroutine of their own: a cancel must not wait for them.
func (s *session) Configure(o agent.SetOption) error {
	c, ok := s.backend.(Configurable)
	if !ok {
		return errFixed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	before, done := s.chosen, make(chan struct{})
	s.chosen = done
	// What has waited for too long is not passed on any more.
	ctx, cancel := context.WithTimeout(s.ctx, configureTimeout)
	deadline, _ := ctx.Deadline()
	s.work.Go(func() {
		defer cancel()
		defer close(done) // behind what is said: refusals come in order too
		<-before
		err := errOvertime
		// The clock tells: the choice before may end with the very same timer.
		if ctx.Err() == nil && time.Now().Before(deadline) {
			err = c.Configure(ctx, o)
		}
		if err != nil && s.ctx.Err() == nil {
			s.say(&agent.OptionRefused{OptionID: o.OptionID, Error: err.Error()})
		}
	})
	return nil
}

// Abandon implements [agent.Session].
func (s *session) Abandon(turnID string) {
	if t := s.current(turnID); t != nil {
		t.cut()
	}
}

// current is the last turn, if it is that of an id.
func (s *session) current(turnID string) *Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil || s.turn.Prompt.TurnID != turnID {
		return nil
	}
	return s.turn
}

// Close implements [agent.Session].
func (s *session) Close(ctx context.Context) error {
	s.shutDown.Do(func() { go s.shut(ctx) })
	select {
	case <-s.gone:
		return s.failed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *session) shut(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.work.Wait()
	s.failed = s.backend.Close(ctx)
	close(s.events)
	close(s.gone)
}
