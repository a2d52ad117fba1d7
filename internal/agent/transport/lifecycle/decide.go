package lifecycle

import (
	"context"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// decisionTimeout limits the delivery of one decision, because later ones wait
// for it.
const decisionTimeout = 15 * time.Second

// reasonCancelled is the reason for refusing an answer that may have permitted
// something.
const reasonCancelled = "the turn was cancelled"

// A decision is delivered to a [Backend] while its turn is running.
type decision struct {
	turn *Turn
	call func(ctx context.Context) error
	// refuse is called instead of call once the turn is cancelled. It is nil if
	// call permits nothing.
	refuse func(ctx context.Context) error
	passed chan struct{} // closed once delivered, or too late; nil if unused
}

// Confirm implements [agent.Session].
func (s *session) Confirm(r agent.ConfirmationResponse) {
	if s.confirmTool(r) {
		return
	}
	if s.lines != nil {
		r.Type = agent.CommandConfirmation
		s.send(r.TurnID, r, r.Refused())
		return
	}
	d := decision{call: func(ctx context.Context) error { return s.backend.Confirm(ctx, r) }}
	if r.Decision.Allows() {
		no := r.Refused()
		no.Reason = reasonCancelled
		d.refuse = func(ctx context.Context) error { return s.backend.Confirm(ctx, no) }
	}
	s.enqueue(r.TurnID, d)
}

// Answer implements [agent.Session].
func (s *session) Answer(r agent.QuestionResponse) {
	if s.answerTool(r) {
		return
	}
	if s.lines != nil {
		r.Type = agent.CommandQuestion
		s.send(r.TurnID, r, r.Refused())
		return
	}
	d := decision{call: func(ctx context.Context) error { return s.backend.Answer(ctx, r) }}
	if !r.Cancelled {
		no := r.Refused()
		no.Reason = reasonCancelled
		d.refuse = func(ctx context.Context) error { return s.backend.Answer(ctx, no) }
	}
	s.enqueue(r.TurnID, d)
}

// Cancel implements [agent.Session]. From now on, nothing is permitted any more,
// even if it is queued or being delivered.
func (s *session) Cancel(c agent.Cancel) {
	t := s.current(c.TurnID)
	if t == nil {
		return
	}
	t.cancel.Do(func() {
		close(t.cancelled)
		t.forbid()
		t.endTools()
		if s.lines != nil {
			c.Type = agent.CommandCancel
			s.logUnsent(s.lines.Send(Command{TurnID: c.TurnID, Line: c}))
			return
		}
		s.overtake(decision{
			turn: t, passed: t.cancelPassed,
			call: func(ctx context.Context) error { return s.backend.Cancel(ctx, c.TurnID) },
		})
	})
}

func (s *session) enqueue(turnID string, d decision) {
	if d.turn = s.current(turnID); d.turn == nil {
		return
	}
	s.mu.Lock()
	s.decisions = append(s.decisions, d)
	s.mu.Unlock()
	s.notify()
}

// overtake puts d before the queued decisions, each of which may take as long as
// decisionTimeout.
func (s *session) overtake(d decision) {
	s.mu.Lock()
	s.decisions = slices.Insert(s.decisions, 0, d)
	s.mu.Unlock()
	s.notify()
}

func (s *session) notify() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// deliver delivers the decisions.
func (s *session) deliver() {
	for {
		select {
		case <-s.wake:
		case <-s.ctx.Done():
			return
		}
		for {
			d, ok := s.next()
			if !ok {
				break
			}
			s.pass(d)
		}
	}
}

func (s *session) next() (d decision, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.decisions) == 0 {
		s.decisions = nil
		return decision{}, false
	}
	d, s.decisions = s.decisions[0], s.decisions[1:]
	return d, true
}

func (s *session) pass(d decision) {
	err := d.turn.pass(d)
	if d.passed != nil {
		close(d.passed)
	}
	switch {
	case err == nil || s.ctx.Err() != nil:
		return
	case d.refuse != nil && d.turn.IsCancelled():
		s.log.Info("a decision was not delivered because the turn was cancelled", "error", err)
		return
	}
	// A receiver that does not read must not delay a cancel.
	s.work.Go(func() { d.turn.Report(err) })
}
