package turns

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
)

const (
	// configureTimeout bounds how long a choice may take: the user waits for it.
	configureTimeout = 8 * time.Second
	// closeGrace is how long Close waits after the end of its context: what
	// remains is being killed then, which takes milliseconds.
	closeGrace = time.Second
)

var (
	errClosed = errors.New("the session is closed")
	errFixed  = errors.New("the agent cannot be told what to set")

	errOvertime = errors.New("the agent has not answered what was chosen before it")
)

// session is the order around a backend.
type session struct {
	runner  Runner
	backend Backend     // runner, or nil
	lines   LineBackend // runner, or nil
	log     *slog.Logger
	events  chan agent.Batch
	ctx     context.Context
	stop    context.CancelFunc
	work    sync.WaitGroup

	shutDown sync.Once
	gone     chan struct{} // closed when nothing of the session is left
	failed   error         // of closing the backend; set before gone is closed

	mu        sync.Mutex
	turn      *Turn // the last one; nil before the first
	closed    bool
	decisions []decision
	wake      chan struct{}
	chosen    chan struct{} // closed when the last choice is passed on
}

func newSession(r Runner, log *slog.Logger) *session {
	s := &session{
		runner: r,
		log:    log,
		events: make(chan agent.Batch),
		gone:   make(chan struct{}),
		wake:   make(chan struct{}, 1),
		chosen: make(chan struct{}),
	}
	close(s.chosen)
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// NewLineSession returns a session of b, which it owns from now on.
func NewLineSession(b LineBackend, log *slog.Logger) agent.Session {
	s := newSession(b, log)
	s.lines = b
	return s
}

// OpenLineSession returns a session of b, which it owns from now on unless b
// cannot start.
func OpenLineSession(b Starter, log *slog.Logger) (agent.Session, error) {
	s := newSession(b, log)
	s.lines = b
	if err := b.Start(s.newStream()); err != nil {
		s.stop()
		return nil, err
	}
	return &introduced{session: s, introduced: b.Introduced()}, nil
}

// introduced is a session whose agent may say what it is before its first turn.
type introduced struct {
	*session
	introduced <-chan struct{}
}

// Introduced implements [agent.Introducer].
func (s *introduced) Introduced() <-chan struct{} { return s.introduced }

// NewSession returns a session of b, which it owns from now on.
func NewSession(b Backend, log *slog.Logger) agent.Session {
	s := newSession(b, log)
	s.backend = b
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
	if last != nil && s.lines != nil {
		last.end() // as whoever prompts must have seen
	}
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

// Options implements [agent.Session]. The agent says them once it runs.
func (s *session) Options() []agent.Option { return nil }

// Configure implements [agent.Session]. Choices are passed on one after
// another, in a goroutine of their own: a cancel must not wait for them.
func (s *session) Configure(o agent.SetOption) error {
	if s.lines != nil {
		return s.setOption(o)
	}
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
		defer close(done) // after the refusal is said: they come in order too
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
		t.abandon()
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
	}
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-s.gone:
		return s.failed
	case <-timer.C:
		return fmt.Errorf("close the session: %w", ctx.Err())
	}
}

func (s *session) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *session) shut(ctx context.Context) {
	s.mu.Lock()
	s.closed = true
	last := s.turn
	s.mu.Unlock()
	if last != nil {
		last.awaitCancel(ctx)
	}
	s.stop()
	s.work.Wait()
	s.failed = s.runner.Close(ctx)
	close(s.events)
	close(s.gone)
}
