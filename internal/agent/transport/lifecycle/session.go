package lifecycle

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
	// configureTimeout limits how long setting an option may take, because the
	// user waits for it.
	configureTimeout = 8 * time.Second
	// closeGrace is how long Close waits after its context has ended. By then,
	// the rest is being killed, which takes milliseconds.
	closeGrace = time.Second
)

var (
	errClosed = errors.New("the session is closed")
	errFixed  = errors.New("the agent does not accept options")

	errOvertime = errors.New("the agent has not confirmed the previous choice")
)

// session implements the lifecycle around a backend.
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
	drained  chan struct{} // closed when nothing of the session is left
	failed   error         // error from closing the backend; set before drained is closed

	mu        sync.Mutex
	turn      *Turn // the last turn; nil before the first
	closed    bool
	decisions []decision
	wake      chan struct{}
	chosen    chan struct{}   // closed when the last choice has been delivered
	using     map[string]bool // by id: the tools that run

	key string // see Turn.Keep; belongs to the running turn
}

func newSession(r Runner, log *slog.Logger) *session {
	s := &session{
		runner:  r,
		log:     log,
		events:  make(chan agent.Batch),
		drained: make(chan struct{}),
		wake:    make(chan struct{}, 1),
		chosen:  make(chan struct{}),
	}
	close(s.chosen)
	s.ctx, s.stop = context.WithCancel(context.Background())
	return s
}

// NewLineSession returns a session that takes ownership of b.
func NewLineSession(b LineBackend, log *slog.Logger) agent.Session {
	s := newSession(b, log)
	s.lines = b
	return s
}

// OpenLineSession starts b and returns a session that takes ownership of it,
// unless b can't be started.
func OpenLineSession(b Starter, log *slog.Logger) (agent.Session, error) {
	s := newSession(b, log)
	s.lines = b
	if err := b.Start(s.newStream()); err != nil {
		s.stop()
		return nil, err
	}
	return &introduced{session: s, introduced: b.Introduced()}, nil
}

// introduced is a session whose agent may introduce itself before its first
// turn.
type introduced struct {
	*session
	introduced <-chan struct{}
}

// Introduced implements [agent.Introducer].
func (s *introduced) Introduced() <-chan struct{} { return s.introduced }

// NewSession returns a session that takes ownership of b.
func NewSession(b Backend, o agent.Options) agent.Session {
	s := newSession(b, o.Log)
	s.backend, s.key = b, o.Memory().Key()
	s.work.Go(s.deliver)
	if c, ok := b.(Configurable); ok {
		s.work.Go(func() { c.Announce(s.ctx, s.say) })
	}
	return s
}

// Events implements [agent.Session].
func (s *session) Events() <-chan agent.Batch { return s.events }

// Prompt implements [agent.Session]. An abandoned turn that has not returned yet
// delays the next one.
func (s *session) Prompt(p agent.Prompt) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
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
	s.mu.Unlock()
	if last != nil && s.lines != nil {
		last.end() // the caller must have seen its end
	}
	return nil
}

// Options implements [agent.Session]. The agent reports its options once it
// runs.
func (s *session) Options() []agent.Option { return nil }

// Configure implements [agent.Session]. Choices are delivered one after another,
// in separate goroutines, so that a cancel does not wait for them.
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
	// A choice that waited for too long is not delivered.
	ctx, cancel := context.WithTimeout(s.ctx, configureTimeout)
	deadline, _ := ctx.Deadline()
	s.work.Go(func() {
		defer cancel()
		defer close(done) // after reporting a refusal, so that refusals come in order
		<-before
		err := errOvertime
		// Check the clock too: the previous choice may end at the same deadline.
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

// current returns the last turn if it has this id, or nil.
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
	case <-s.drained:
		return s.failed
	case <-ctx.Done():
	}
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-s.drained:
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
	close(s.drained)
}
