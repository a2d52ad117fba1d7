package turns

import (
	"context"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// commandTimeout bounds how long a decision is on its way: those behind it
// wait.
const commandTimeout = 15 * time.Second

// reasonCancelled is why an answer is refused that may have permitted something.
const reasonCancelled = "the turn was cancelled"

// A command is passed on to the backend while its turn runs.
type command struct {
	turn *Turn
	call func(ctx context.Context) error
	// refuse is passed on instead of call once the turn is cancelled; nil where
	// call permits nothing.
	refuse func(ctx context.Context) error
}

// Confirm implements [agent.Session].
func (s *session) Confirm(r agent.ConfirmationResponse) {
	c := command{call: func(ctx context.Context) error { return s.backend.Confirm(ctx, r) }}
	if r.Decision.Allows() {
		no := r.Refused()
		no.Reason = reasonCancelled
		c.refuse = func(ctx context.Context) error { return s.backend.Confirm(ctx, no) }
	}
	s.queue(r.TurnID, c)
}

// Answer implements [agent.Session].
func (s *session) Answer(r agent.QuestionResponse) {
	c := command{call: func(ctx context.Context) error { return s.backend.Answer(ctx, r) }}
	if !r.Cancelled {
		no := r.Refused()
		no.Reason = reasonCancelled
		c.refuse = func(ctx context.Context) error { return s.backend.Answer(ctx, no) }
	}
	s.queue(r.TurnID, c)
}

// Cancel implements [agent.Session]. From here on nothing is permitted any
// more, whatever waits to be passed on or is on its way.
func (s *session) Cancel(c agent.Cancel) {
	if t := s.current(c.TurnID); t != nil {
		t.cancel.Do(func() {
			close(t.cancelled)
			t.forbid()
			s.overtake(command{turn: t, call: func(ctx context.Context) error { return s.backend.Cancel(ctx, c.TurnID) }})
		})
	}
}

func (s *session) queue(turnID string, c command) {
	if c.turn = s.current(turnID); c.turn == nil {
		return
	}
	s.mu.Lock()
	s.commands = append(s.commands, c)
	s.mu.Unlock()
	s.poke()
}

// overtake puts a command before those that wait: each of them may take as long
// as commandTimeout.
func (s *session) overtake(c command) {
	s.mu.Lock()
	s.commands = slices.Insert(s.commands, 0, c)
	s.mu.Unlock()
	s.poke()
}

func (s *session) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// deliver passes the commands on.
func (s *session) deliver() {
	for {
		select {
		case <-s.wake:
		case <-s.ctx.Done():
			return
		}
		for {
			c, ok := s.next()
			if !ok {
				break
			}
			s.pass(c)
		}
	}
}

// next takes the command whose turn it is.
func (s *session) next() (c command, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.commands) == 0 {
		s.commands = nil
		return command{}, false
	}
	c, s.commands = s.commands[0], s.commands[1:]
	return c, true
}

func (s *session) pass(c command) {
	err := c.turn.pass(c)
	switch {
	case err == nil || s.ctx.Err() != nil:
		return
	case c.refuse != nil && c.turn.isCancelled():
		s.log.Info("a decision was not passed on, for the turn was cancelled", "error", err)
		return
	}
	s.log.Warn("a decision could not be passed on", "error", err)
	goesOn := false
	// Whoever does not read must not keep a cancel from being passed on.
	s.work.Go(func() { c.turn.Emit(&agent.Error{Error: err.Error(), Code: code(err), Fatal: &goesOn}) })
}
