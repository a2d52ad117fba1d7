package idle

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/batch"
)

// session is a watched session. Methods that it does not override are the agent's.
type session struct {
	agent.Session
	limits Limits
	events chan agent.Batch
	wake   chan struct{} // signals a state change
	ctx    context.Context
	stop   context.CancelFunc
	ended  chan struct{} // closed when watch has returned

	mu       sync.Mutex
	id       string // the session's id, from the prompts
	turn     string // the running turn; "" for none
	received bool   // the agent has sent something since it was started
	silent   bool   // the last batch said only that the agent is silent
	since    time.Time
	asked    map[asked]bool // unanswered requests to the user or the editor
}

func newSession(s agent.Session, l Limits) *session {
	w := &session{
		Session: s,
		limits:  l,
		events:  make(chan agent.Batch),
		wake:    make(chan struct{}, 1),
		ended:   make(chan struct{}),
		asked:   make(map[asked]bool),
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	go w.watch()
	return w
}

// Events implements [agent.Session].
func (s *session) Events() <-chan agent.Batch { return s.events }

// Introduced implements [agent.Introducer].
func (s *session) Introduced() <-chan struct{} { return agent.Introduced(s.Session) }

// Prompt implements [agent.Session].
func (s *session) Prompt(p agent.Prompt) error {
	s.set(func() {
		s.id, s.turn, s.since = p.SessionID, p.TurnID, time.Now()
		clear(s.asked)
	})
	err := s.Session.Prompt(p)
	if err != nil {
		s.turnEnded(p.TurnID)
	}
	return err
}

// Confirm implements [agent.Session].
func (s *session) Confirm(r agent.ConfirmationResponse) {
	s.answered(asked{confirmation, r.ConfirmationID, r.ToolCallID})
	s.Session.Confirm(r)
}

// Answer implements [agent.Session].
func (s *session) Answer(r agent.QuestionResponse) {
	s.answered(asked{question, r.QuestionID, ""})
	s.Session.Answer(r)
}

// Respond implements [agent.EditorUser].
func (s *session) Respond(r agent.EditorResponse) {
	s.answered(asked{editor, r.RequestID, ""})
	if user, ok := s.Session.(agent.EditorUser); ok {
		user.Respond(r)
	}
}

// Cancel implements [agent.Session].
func (s *session) Cancel(c agent.Cancel) {
	s.turnEnded(c.TurnID)
	s.Session.Cancel(c)
}

// Abandon implements [agent.Session].
func (s *session) Abandon(turnID string) {
	s.turnEnded(turnID)
	s.Session.Abandon(turnID)
}

// Close implements [agent.Session].
func (s *session) Close(ctx context.Context) error {
	s.stop()
	err := s.Session.Close(ctx)
	select {
	case <-s.ended:
	case <-ctx.Done():
	}
	return err
}

// watch forwards the agent's batches, and ends a turn whose time limit has passed.
func (s *session) watch() {
	defer close(s.ended)
	defer close(s.events)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Stop()
		if left, ok := s.left(); ok {
			timer.Reset(left)
		}
		select {
		case b, open := <-s.Session.Events():
			if !open {
				return
			}
			s.forward(b)
			s.set(func() {
				if !s.silent {
					s.since = time.Now()
				}
				s.silent = false
			})
		case <-s.wake:
		case <-timer.C:
			s.giveUp()
		}
	}
}

// forward forwards a batch and waits until it is released. In the meantime, the
// delay is not the agent's.
func (s *session) forward(b agent.Batch) {
	l := batch.New(b, s.view)
	select {
	case s.events <- l:
	case <-s.ctx.Done():
		b.Release()
		return
	}
	select {
	case <-l.Returned():
	case <-s.ctx.Done():
	}
}

// left returns how much longer the agent may be silent, or false if there is no
// limit.
func (s *session) left() (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.limit()
	if s.turn == "" || len(s.asked) > 0 || limit == 0 {
		return 0, false
	}
	return max(0, time.Until(s.since.Add(limit))), true
}

func (s *session) limit() time.Duration {
	if !s.received && s.limits.Start > 0 {
		return s.limits.Start
	}
	return s.limits.Idle
}

// giveUp fails the turn, unless something has happened in the meantime.
func (s *session) giveUp() {
	if left, ok := s.left(); !ok || left > 0 {
		return
	}
	s.mu.Lock()
	id, turn, limit, starting := s.id, s.turn, s.limit(), !s.received && s.limits.Start > 0
	s.turn, s.received = "", false
	s.mu.Unlock()
	s.Session.Cancel(agent.Cancel{SessionID: id, TurnID: turn})
	s.Session.Abandon(turn)
	select {
	case s.events <- agent.One{Event: silence(turn, limit, starting)}:
	case <-s.ctx.Done():
	}
}

// turnEnded records that nothing waits for a turn any more.
func (s *session) turnEnded(turnID string) {
	s.set(func() {
		if s.turn == turnID {
			s.turn = ""
		}
	})
}

func (s *session) answered(a asked) {
	s.set(func() {
		maps.DeleteFunc(s.asked, func(b asked, _ bool) bool { return a.settles(b) })
		s.since = time.Now()
	})
}

// set changes the state and makes watch check the time limit again.
func (s *session) set(change func()) {
	s.mu.Lock()
	change()
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
