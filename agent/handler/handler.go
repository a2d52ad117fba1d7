package handler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// A Handler answers one prompt. The package documentation describes its
// contract.
type Handler func(ctx context.Context, t *Turn) error

// Errors of methods that wait for the user.
var (
	// ErrRefused means that the user did not allow a call.
	ErrRefused = errors.New("you did not allow it")
	// ErrNoAnswer means that the user did not answer a question.
	ErrNoAnswer = errors.New("you did not answer")
)

// New returns an agent that answers each prompt by calling h.
func New(info agent.Info, h Handler) agent.Agent { return function{info, h} }

type function struct {
	info   agent.Info
	handle Handler
}

// Info implements [agent.Agent].
func (f function) Info() agent.Info { return f.info }

// Open implements [agent.Agent].
func (f function) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return lifecycle.NewSession(&session{options: o, handle: f.handle}, o), nil
}

// A session is the backend of one session.
type session struct {
	options agent.Options
	handle  Handler
	pending pending
}

// Turn implements [lifecycle.Backend].
func (s *session) Turn(ctx context.Context, wire *lifecycle.Turn) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.pending.begin(cancel)
	t := &Turn{Prompt: wire.Prompt, Session: s.options, session: s, wire: wire, ctx: ctx}
	err := t.run(s.handle)
	t.done.Store(true)
	if ctx.Err() != nil {
		return nil // the turn itself reports the cancel, whatever the handler returned
	}
	if err != nil {
		return err
	}
	wire.Emit(&agent.Done{})
	return nil
}

// run calls h and converts a panic into an error.
func (t *Turn) run(h Handler) (err error) {
	defer func() {
		if p := recover(); p != nil {
			t.Session.Log.Error("the handler panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("the agent panicked: %v", p)
		}
	}()
	return h(t.ctx, t)
}

// Confirm implements [lifecycle.Backend].
func (s *session) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	s.pending.deliver(r.ConfirmationID, r)
	return nil
}

// Answer implements [lifecycle.Backend].
func (s *session) Answer(_ context.Context, r agent.QuestionResponse) error {
	s.pending.deliver(r.QuestionID, r)
	return nil
}

// Cancel implements [lifecycle.Backend].
func (s *session) Cancel(context.Context, string) error {
	s.pending.cancel()
	return nil
}

// Close implements [lifecycle.Backend].
func (s *session) Close(context.Context) error { return nil }
