package workspace

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

var (
	errClosed = errors.New("the session is closed")
	errBusy   = errors.New("a turn is running")
)

// A session runs one turn at a time, each in its own goroutine.
//
// Only one goroutine at a time may send events: first the announcement of the
// commands, then one turn after another. Each waits until the previous one has
// ended, so that events of different turns never mix. Announcements belong to
// no turn, and wait only for each other.
type session struct {
	tools *tools.Box
	ids   atomic.Int64

	ctx      context.Context // ends with Close
	end      context.CancelFunc
	events   chan agent.Batch
	running  sync.WaitGroup
	finished chan struct{} // closed when no goroutine is left

	mu        sync.Mutex
	closed    bool
	titled    bool
	mode      string
	last      *turn           // the newest turn, running or ended
	floor     <-chan struct{} // closed when the next turn may send events
	announced <-chan struct{} // closed when the last announcement has been sent
}

func newSession(ctx context.Context, o agent.Options) *session {
	s := &session{
		events:   make(chan agent.Batch),
		finished: make(chan struct{}),
		mode:     modeAsk,
	}
	s.tools = tools.New(o, tools.Limits{Permits: s.permits, Confined: true})
	s.ctx, s.end = context.WithCancel(ctx)
	return s
}

// announceCommands sends the events that precede all turns.
func (s *session) announceCommands() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announce(availableCommands())
	s.floor = s.announced
}

// announce sends an event about the session once it can be received. The caller
// holds mu.
func (s *session) announce(e agent.Event) {
	before, done := s.announced, make(chan struct{})
	s.announced = done
	s.running.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		select {
		case s.events <- agent.One{Event: e}:
		case <-s.ctx.Done():
		}
	})
}

// Events implements [agent.Session].
func (s *session) Events() <-chan agent.Batch { return s.events }

// Prompt starts a turn. It returns an error while another one is running.
func (s *session) Prompt(p agent.Prompt) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("prompt: %w", errClosed)
	}
	if s.last != nil && !s.last.done {
		return fmt.Errorf("prompt: %w", errBusy)
	}
	t := newTurn(s, p, s.floor)
	s.last, s.floor = t, t.finished
	s.running.Go(t.run)
	return nil
}

// Confirm implements [agent.Session]. Only the first answer counts.
func (s *session) Confirm(r agent.ConfirmationResponse) { s.tools.Confirm(r) }

// Answer implements [agent.Session]. Only the first answer counts.
func (s *session) Answer(r agent.QuestionResponse) { s.tools.Answer(r) }

// Respond implements [agent.EditorUser].
func (s *session) Respond(r agent.EditorResponse) { s.tools.Respond(r) }

// Cancel stops the turn that c names, if it is still running.
func (s *session) Cancel(c agent.Cancel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last != nil && (c.TurnID == "" || c.TurnID == s.last.id) {
		s.last.cancel()
	}
}

// Abandon silences the turn. The next turn does not wait for it, because it may
// be stuck in a request that the editor never answers.
func (s *session) Abandon(turnID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.last; t != nil && t.id == turnID {
		t.silence()
		t.done = true
		s.floor = t.floor
	}
}

// finish marks t as over before its last event is sent, because the receiver of
// that event may send a prompt at once.
func (s *session) finish(t *turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.done = true
}

// firstPrompt reports, once, that the session has no title yet.
func (s *session) firstPrompt() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.titled
	s.titled = true
	return first
}

// newID returns an id that is unique in the session.
func (s *session) newID(kind string) string {
	return fmt.Sprintf("%s_%d", kind, s.ids.Add(1))
}

// Close implements [agent.Session]. If ctx ends first, the rest ends in the
// background.
func (s *session) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		s.end()
		go func() {
			s.running.Wait()
			close(s.events)
			close(s.finished)
		}()
	}
	s.mu.Unlock()
	select {
	case <-s.finished:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the workspace session: %w", ctx.Err())
	}
}
