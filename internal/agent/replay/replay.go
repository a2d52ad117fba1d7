// Package replay implements an agent that answers every prompt with a recorded
// stream of events, as lines or as server-sent events.
//
// Events keep their recorded order, and follow as fast as they are received. At
// a confirmation or a question, the replay waits for an answer, then continues
// as recorded, whatever the answer was. Editor requests are left out, because
// nobody consents to them now. A cancel ends the turn. A recording without an
// end ends with a done event.
package replay

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// New returns an agent that replays the file at path.
func New(path string, d dialect.Dialect) agent.Agent {
	return NewTurns(func(int) (io.ReadCloser, error) { return os.Open(path) }, d)
}

// NewTurns returns an agent that replays the recording that open returns for
// each prompt. The first prompt of a session has the number 0.
func NewTurns(open func(n int) (io.ReadCloser, error), d dialect.Dialect) agent.Agent {
	return &replay{open, d}
}

type replay struct {
	open    func(n int) (io.ReadCloser, error)
	dialect dialect.Dialect
}

// Info implements [agent.Agent].
func (r *replay) Info() agent.Info { return agent.Info{Name: "replay", Title: "Replay"} }

// Open implements [agent.Agent].
func (r *replay) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	ctx, cancel := context.WithCancel(context.Background())
	return &session{replay: r, log: o.Log, ctx: ctx, cancel: cancel, events: make(chan agent.Batch)}, nil
}

type session struct {
	replay *replay
	log    *slog.Logger
	ctx    context.Context
	cancel context.CancelFunc
	events chan agent.Batch
	turns  sync.WaitGroup
	once   sync.Once

	prompts int // Prompt is called by one goroutine at a time

	mu       sync.Mutex
	stop     context.CancelFunc // cancels the running turn
	answered chan struct{}      // signals an answer to the running turn
}

// Events implements [agent.Session].
func (s *session) Events() <-chan agent.Batch { return s.events }

// Prompt implements [agent.Session].
func (s *session) Prompt(p agent.Prompt) error {
	f, err := s.replay.open(s.prompts)
	if err != nil {
		return err
	}
	s.prompts++
	ctx, stop := context.WithCancel(s.ctx)
	answered := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		stop()
		return errors.Join(fs.ErrClosed, f.Close())
	}
	s.stop, s.answered = stop, answered
	s.turns.Go(func() {
		defer stop()
		t := turn{session: s, ctx: ctx, answered: answered, id: p.TurnID}
		lines := httpsse.Lines(f)
		err := dialect.Read(lines, s.replay.dialect.NewDecoder(), s.log, t.play)
		if closeErr := errors.Join(lines.Close(), f.Close()); err == nil {
			err = closeErr
		}
		t.end(err)
	})
	return nil
}

// Options implements [agent.Session].
func (s *session) Options() []agent.Option { return nil }

// Configure implements [agent.Session].
func (s *session) Configure(agent.SetOption) error {
	return errors.New("a recording has no options")
}

// Confirm implements [agent.Session].
func (s *session) Confirm(agent.ConfirmationResponse) { s.answer() }

// Answer implements [agent.Session].
func (s *session) Answer(agent.QuestionResponse) { s.answer() }

func (s *session) answer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.answered <- struct{}{}:
	default:
	}
}

// Cancel implements [agent.Session].
func (s *session) Cancel(agent.Cancel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop()
	}
}

// Abandon implements [agent.Session]. A cancelled replay ends by itself.
func (s *session) Abandon(string) {}

// Close implements [agent.Session].
func (s *session) Close(context.Context) error {
	s.once.Do(func() {
		s.mu.Lock() // no Prompt starts a turn after this
		s.cancel()
		s.mu.Unlock()
		s.turns.Wait()
		close(s.events)
	})
	return nil
}

// turn is one replay of the recording.
type turn struct {
	session  *session
	ctx      context.Context
	answered chan struct{}
	id       string
	done     bool
}

// play sends an event, and waits for the answer to a request.
func (t *turn) play(e agent.Event) bool {
	if t.ctx.Err() != nil {
		return false
	}
	if e, ok := e.(*agent.EditorRequested); ok {
		t.session.log.Info("a recording's request to the editor was skipped", "action", e.Action)
		return true
	}
	e.Common().TurnID = t.id
	done := false
	switch e := e.(type) {
	case *agent.ConfirmationRequested, *agent.QuestionAsked:
		select {
		case <-t.answered: // an earlier answer belongs to something else
		default:
		}
	case *agent.Done:
		done = true
	case *agent.Error:
		done = e.Fatal == nil || *e.Fatal
	}
	sent := make(chan struct{})
	if !t.send(t.ctx, &one{agent.One{Event: e}, sent}) {
		return false
	}
	t.done = done
	select {
	case <-sent: // the decoder reuses the event's memory
	case <-t.session.ctx.Done():
		return false
	}
	switch e.(type) {
	case *agent.ConfirmationRequested, *agent.QuestionAsked:
		select {
		case <-t.answered:
		case <-t.ctx.Done():
			return false
		}
	}
	return !t.done
}

func (t *turn) send(ctx context.Context, b agent.Batch) bool {
	select {
	case t.session.events <- b:
		return true
	case <-ctx.Done():
		return false
	}
}

// end ends the turn if the recording didn't.
func (t *turn) end(err error) {
	var e agent.Event
	switch {
	case t.done:
		return
	case err != nil:
		e = &agent.Error{Error: err.Error(), Code: "replay_failed", Base: agent.Base{TurnID: t.id}}
	case t.ctx.Err() != nil:
		e = &agent.Done{StopReason: agent.StopCancelled, Base: agent.Base{TurnID: t.id}}
	default:
		e = &agent.Done{Base: agent.Base{TurnID: t.id}}
	}
	t.send(t.session.ctx, agent.One{Event: e})
}

// one is a batch of one event. It signals when the event is no longer needed.
type one struct {
	agent.One
	released chan struct{}
}

// Release implements [agent.Batch].
func (o *one) Release() { close(o.released) }
