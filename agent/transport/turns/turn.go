package turns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// linger is how long a backend may go on behind the end of its turn: some are
// told more then, but the next turn waits for it.
const linger = 3 * time.Second

// A Turn is what a backend is given to run a turn with.
type Turn struct {
	Prompt agent.Prompt

	session   *session
	ctx       context.Context
	cut       context.CancelFunc // abandons it
	cancelled chan struct{}
	cancel    sync.Once
	started   atomic.Bool
	ended     atomic.Bool   // a terminal event was handed over
	done      chan struct{} // closed when it has returned

	passing chan struct{} // holds whoever passes a decision on
	over    bool          // none is passed on any more; guarded by passing
	telling context.Context
	hush    context.CancelFunc // gives up what is passed on
	// permitting ends with the cancel too: what permits is passed on with it.
	permitting context.Context
	forbid     context.CancelFunc
}

func newTurn(s *session, p agent.Prompt) *Turn {
	t := &Turn{
		Prompt:    p,
		session:   s,
		cancelled: make(chan struct{}),
		done:      make(chan struct{}),
		passing:   make(chan struct{}, 1),
	}
	t.ctx, t.cut = context.WithCancel(s.ctx)
	t.telling, t.hush = context.WithCancel(s.ctx)
	t.permitting, t.forbid = context.WithCancel(t.telling)
	return t
}

// Cancelled is closed when the person has cancelled the turn.
func (t *Turn) Cancelled() <-chan struct{} { return t.cancelled }

func (t *Turn) isCancelled() bool {
	select {
	case <-t.cancelled:
		return true
	default:
		return false
	}
}

// Emit hands one event over, and waits while nobody takes it. False means that
// the turn is over for the person, and that nothing more is of use.
func (t *Turn) Emit(e agent.Event) bool {
	last := t.note(e)
	more := t.hand(agent.One{Event: e})
	t.taken(last && more)
	return more
}

// Decode hands over what d makes of a line, and logs what is none. The line is
// used until it returns; the result is that of Emit.
func (t *Turn) Decode(d dialect.Decoder, line []byte) bool {
	line = rawjson.Valid(line)
	if bytes.IndexByte(line, '\n') >= 0 {
		line = bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '})
	}
	return t.hand(decoded{t.noting(d), t.session.log, line})
}

// Pump hands over what d makes of all lines of r, in batches: the fast way for
// a pipe. It returns at the end of r, with the error of reading, or where Emit
// would return false.
func (t *Turn) Pump(r io.Reader, d dialect.Decoder) error {
	return dialect.Each(t.ctx, r, t.noting(d), t.session.log, t.hand)
}

// note marks an event as one of this turn, and tells whether it ends it.
func (t *Turn) note(e agent.Event) (last bool) {
	e.Common().TurnID = t.Prompt.TurnID
	switch e := e.(type) {
	case *agent.Done:
		last = true
	case *agent.Error:
		last = e.Fatal == nil || *e.Fatal
	}
	if last {
		t.ended.Store(true)
	}
	return last
}

// taken cuts the turn off in a while, once its end has been taken.
func (t *Turn) taken(last bool) {
	if last {
		time.AfterFunc(linger, t.cut)
	}
}

// run runs the turn and sees to it that it ends.
func (t *Turn) run() {
	defer close(t.done)
	defer t.settle()
	defer t.cut()
	t.started.Store(true)
	var err error
	if !t.isCancelled() { // while it waited for the turn before it
		err = t.survive()
	}
	if t.ctx.Err() != nil || t.ended.Load() {
		if err != nil {
			t.session.log.Debug("a turn that is over has failed", "error", err)
		}
		return
	}
	switch {
	case t.isCancelled():
		t.Emit(&agent.Done{StopReason: agent.StopCancelled})
	case err != nil:
		t.Emit(&agent.Error{Error: err.Error(), Code: code(err)})
	default:
		t.Emit(&agent.Error{Error: "the agent ended the turn without saying so", Code: "agent_no_end"})
	}
}

// pass passes a decision on, unless the turn is over.
func (t *Turn) pass(c command) error {
	t.passing <- struct{}{}
	defer func() { <-t.passing }()
	// Before it has started it will see itself that it is cancelled, and nothing
	// else can concern it.
	if t.over || !t.started.Load() {
		return nil
	}
	call, within := c.call, t.telling
	switch {
	case c.refuse != nil && t.isCancelled():
		call = c.refuse
	case c.refuse != nil:
		within = t.permitting // a cancel may come meanwhile
	}
	ctx, stop := context.WithTimeout(within, commandTimeout)
	defer stop()
	return call(ctx)
}

// settle waits for the decision that is on its way: a cancel that arrives late
// would stop the next turn.
func (t *Turn) settle() {
	defer time.AfterFunc(linger, t.hush).Stop()
	t.passing <- struct{}{}
	defer func() { <-t.passing }()
	t.over = true
	t.hush()
}

// survive keeps a defect in a backend from ending other sessions.
func (t *Turn) survive() (err error) {
	defer func() {
		if p := recover(); p != nil {
			t.session.log.Error("a turn panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("the turn failed; this is a defect in Turnwire, see its log: %v", p)
		}
	}()
	return t.session.backend.Turn(t.ctx, t)
}

func code(err error) string {
	if c, ok := errors.AsType[Coded](err); ok {
		return c.Code()
	}
	return "agent_failed"
}
