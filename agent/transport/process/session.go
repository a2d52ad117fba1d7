package process

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// closeGrace is how long Close waits for the dead after its context has ended.
const closeGrace = time.Second

var (
	errClosed  = errors.New("the session is closed")
	errResting = errors.New("the agent does not run; it is started by the next prompt")
)

// session is a conversation with a command.
type session struct {
	config  Config
	options agent.Options
	events  chan agent.Batch
	runs    sync.WaitGroup

	shutDown sync.Once
	gone     chan struct{} // closed when nothing of the session is left

	// starting is held while the first child is started, which mu is not: a
	// cancel that comes meanwhile must not wait.
	starting sync.Mutex

	answering    sync.Mutex // held while an answer or a cancel is queued
	cancelled    string     // the turn that was cancelled last, if
	anyCancelled bool       // one was

	mu     sync.Mutex
	run    *run // nil before the first prompt
	closed bool
}

func newSession(c Config, o agent.Options) *session {
	return &session{
		config:  c,
		options: o,
		events:  make(chan agent.Batch),
		gone:    make(chan struct{}),
	}
}

// Events implements [agent.Session].
func (s *session) Events() <-chan agent.Batch { return s.events }

// Prompt implements [agent.Session]. Where the child has to be replaced, the new
// one is started when the old one is gone, so that there are never two. That may
// take a while, and so it goes on beside: a cancel must not wait for it.
func (s *session) Prompt(p agent.Prompt) error {
	p.Type = agent.CommandPrompt
	line, err := encode(p)
	if err != nil {
		return fmt.Errorf("encode the prompt: %w", err)
	}
	s.starting.Lock()
	defer s.starting.Unlock()
	r, closed := s.current()
	if closed {
		return errClosed
	}
	if r != nil && r.resume(p.TurnID, line) {
		return nil
	}
	next := newRun(s, p.TurnID)
	next.commands.put(line)
	s.setRun(next) // from here on a cancel finds its way
	if r != nil {
		s.runs.Go(func() {
			r.replace()
			if err := next.start(); err != nil {
				next.fail(err)
			}
		})
		return nil
	}
	if err := next.start(); err != nil {
		s.setRun(nil)
		return err
	}
	return nil
}

// Options implements [agent.Session]. The child says them when it runs.
func (s *session) Options() []agent.Option { return nil }

// Configure implements [agent.Session].
func (s *session) Configure(o agent.SetOption) error {
	o.Type = agent.CommandSetOption
	line, err := encode(o)
	if err != nil {
		return fmt.Errorf("encode a choice: %w", err)
	}
	r, closed := s.current()
	switch {
	case closed:
		return errClosed
	case r == nil || !r.configure(line):
		return errResting
	}
	return nil
}

// Confirm implements [agent.Session].
func (s *session) Confirm(r agent.ConfirmationResponse) {
	r.Type = agent.CommandConfirmation
	s.answering.Lock()
	defer s.answering.Unlock()
	if s.anyCancelled && r.TurnID == s.cancelled {
		r = r.Refused()
	}
	s.send(r)
}

// Answer implements [agent.Session].
func (s *session) Answer(r agent.QuestionResponse) {
	r.Type = agent.CommandQuestion
	s.answering.Lock()
	defer s.answering.Unlock()
	if s.anyCancelled && r.TurnID == s.cancelled {
		r = r.Refused()
	}
	s.send(r)
}

// Cancel implements [agent.Session]. What was answered and is not written yet
// is refused.
func (s *session) Cancel(c agent.Cancel) {
	c.Type = agent.CommandCancel
	s.answering.Lock()
	defer s.answering.Unlock()
	s.cancelled, s.anyCancelled = c.TurnID, true
	if r, _ := s.current(); r != nil {
		r.commands.refuse()
	}
	s.send(c)
}

// Abandon implements [agent.Session]. What the child prints from here on is
// dropped until the next prompt.
func (s *session) Abandon(turnID string) {
	if r, _ := s.current(); r != nil {
		r.abandon(turnID)
	}
}

// Close implements [agent.Session].
func (s *session) Close(ctx context.Context) error {
	s.shutDown.Do(func() { go s.shut(ctx) })
	select {
	case <-s.gone:
		return nil
	case <-ctx.Done():
	}
	// The child is being killed now, which takes milliseconds.
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-s.gone:
		return nil
	case <-timer.C:
		return fmt.Errorf("close the session of %s: %w", s.config.Args[0], ctx.Err())
	}
}

func (s *session) shut(ctx context.Context) {
	s.starting.Lock()
	s.mu.Lock()
	s.closed = true
	r := s.run
	s.mu.Unlock()
	s.starting.Unlock()
	if r != nil {
		r.silence()
		if c := r.ready(); c != nil {
			r.hangUp(ctx)
			c.Stop(ctx)
		}
	}
	s.runs.Wait()
	close(s.events)
	close(s.gone)
}

// send queues a command. Without a child there is nobody whom it concerns.
func (s *session) send(command any) {
	r, closed := s.current()
	if r == nil || closed {
		return
	}
	line, err := encode(command)
	if err != nil {
		s.options.Log.Error("cannot encode a command", "error", err)
		return
	}
	r.tell(line)
}

func (s *session) current() (r *run, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run, s.closed
}

func (s *session) setRun(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.run = r
}
