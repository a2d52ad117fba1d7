package lifecycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/batch"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// linger is how long a backend may run after the end of its turn. Some backends receive
// more events then, but the next turn waits for them.
const linger = 3 * time.Second

// A Turn is what a backend uses to run a turn.
type Turn struct {
	Prompt agent.Prompt

	session   *session
	ctx       context.Context
	cut       context.CancelFunc
	cancelled chan struct{}
	cancel    sync.Once
	// cancelPassed is closed once the backend's Cancel has returned, or was not needed.
	cancelPassed chan struct{}
	started      atomic.Bool
	ended        chan struct{} // closed when the terminal event was handed over
	endOnce      sync.Once
	abandoned    atomic.Bool   // before its end
	done         chan struct{} // closed when the turn has returned

	passing chan struct{} // semaphore held while a decision is delivered
	settled bool          // no more decisions are delivered; guarded by passing
	telling context.Context
	hush    context.CancelFunc // aborts the delivery in progress
	// permitting also ends with a cancel. Permissions are delivered with this context.
	permitting context.Context
	forbid     context.CancelFunc

	// using ends when the tools must stop. It is nil until the first one is used; the
	// session's mutex guards it.
	using     context.Context
	stopTools context.CancelFunc
}

func newTurn(s *session, p agent.Prompt) *Turn {
	t := &Turn{
		Prompt:       p,
		session:      s,
		cancelled:    make(chan struct{}),
		cancelPassed: make(chan struct{}),
		ended:        make(chan struct{}),
		done:         make(chan struct{}),
		passing:      make(chan struct{}, 1),
	}
	t.ctx, t.cut = context.WithCancel(agent.WithTrace(s.ctx, p.TraceContext))
	if s.backend == nil { // decisions are queued as lines; none are delivered through calls
		t.hush, t.forbid = func() {}, func() {}
		return t
	}
	t.telling, t.hush = context.WithCancel(s.ctx)
	t.permitting, t.forbid = context.WithCancel(t.telling)
	return t
}

// Cancelled is closed when the user has cancelled the turn.
func (t *Turn) Cancelled() <-chan struct{} { return t.cancelled }

// IsCancelled reports whether the user has cancelled the turn.
func (t *Turn) IsCancelled() bool { return isClosed(t.cancelled) }

// IsClosed reports whether the session was closed. The receiver may then still be reading a
// batch, so the turn must leave its decoder alone, and what the decoder changes.
func (t *Turn) IsClosed() bool { return t.session.ctx.Err() != nil }

// UntilCancelled returns a context that also ends when the user cancels the turn. It is
// for agents that have no better way to cancel than a closed connection. end must be
// called.
func (t *Turn) UntilCancelled(ctx context.Context) (_ context.Context, end context.CancelFunc) {
	return t.AfterCancel(ctx, 0)
}

// Keep reports the key under which the server stores the conversation, if it has changed.
// It is called by [Runner.Turn] only. The key of a session that continues is known.
func (t *Turn) Keep(key string) {
	if key != t.session.key {
		t.session.key = key
		t.Emit(agent.KeyState(key))
	}
}

// Ended is closed when the receiver has received the turn's terminal event.
func (t *Turn) Ended() <-chan struct{} { return t.ended }

func (t *Turn) end() {
	t.endOnce.Do(func() {
		close(t.ended)
		t.endTools()
	})
}

func (t *Turn) abandon() {
	if !isClosed(t.ended) {
		t.abandoned.Store(true)
	}
	t.cut()
}

func (t *Turn) isAbandoned() bool { return t.abandoned.Load() }

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Emit forwards one event, and blocks while nobody receives it. It returns false if the
// turn is over for the user, so that further events are useless.
func (t *Turn) Emit(e agent.Event) bool {
	last := t.mark(e)
	more := t.forward(agent.One{Event: e}, nil)
	if last && more {
		t.linger()
	}
	return more
}

// Decode forwards the events that d decodes from a line, and logs a line without
// events. line must stay valid until Decode returns. The result is that of Emit.
func (t *Turn) Decode(d dialect.Decoder, line []byte) bool {
	line = rawjson.Valid(line)
	if bytes.IndexByte(line, '\n') >= 0 {
		line = bytes.ReplaceAll(line, []byte{'\n'}, []byte{' '})
	}
	return t.forward(decoded{d, t.session.log, line}, t.view)
}

// Pump forwards the events that d decodes from the lines of r, in batches. It is the
// fast way for a pipe. It returns at EOF, with the read error, or when Emit would
// return false.
func (t *Turn) Pump(r io.Reader, d dialect.Decoder) error {
	return dialect.Each(t.ctx, r, d, t.session.log, func(b agent.Batch) bool { return t.forward(b, t.view) })
}

func (t *Turn) forward(b agent.Batch, view batch.View) bool {
	return t.session.forward(t.ctx, b, view)
}

// view marks events on their way to the receiver.
func (t *Turn) view(events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		for e := range events {
			last := t.mark(e)
			more := yield(e)
			if last {
				t.linger()
			}
			if !more {
				return
			}
		}
	}
}

// mark makes e an event of this turn, and reports whether it ends the turn.
func (t *Turn) mark(e agent.Event) (last bool) {
	e.Common().TurnID = t.Prompt.TurnID
	if last = t.isEnd(e); last {
		t.end()
	}
	return last
}

// isEnd reports whether e is the terminal event of the turn.
func (t *Turn) isEnd(e agent.Event) bool {
	if id := e.Common().TurnID; id != "" && id != t.Prompt.TurnID {
		return false
	}
	switch e := e.(type) {
	case *agent.Done:
		return true
	case *agent.Error:
		return e.Fatal == nil || *e.Fatal
	}
	return false
}

// linger cuts the turn off after a delay, once its end has been received.
func (t *Turn) linger() { time.AfterFunc(linger, t.cut) }

// run runs the turn and ensures that it ends.
func (t *Turn) run() {
	defer close(t.done)
	defer t.settle()
	defer t.cut()
	t.started.Store(true)
	var err error
	if !t.IsCancelled() { // the cancel may have come while it waited for the previous turn
		err = t.call()
	}
	if t.ctx.Err() != nil || isClosed(t.ended) {
		if err != nil {
			t.session.log.Debug("an ended turn failed", "error", err)
		}
		return
	}
	switch {
	case t.IsCancelled():
		t.Emit(&agent.Done{StopReason: agent.StopCancelled})
	case err != nil:
		t.Emit(&agent.Error{Error: err.Error(), Code: code(err)})
	default:
		t.Emit(&agent.Error{Error: "the agent ended the turn without an end event", Code: "agent_no_end"})
	}
}

// pass delivers a decision, unless the turn is over.
func (t *Turn) pass(d decision) error {
	t.passing <- struct{}{}
	defer func() { <-t.passing }()
	// Before the turn has started, no decision concerns it. It will detect a cancel by
	// itself.
	if t.settled || !t.started.Load() {
		return nil
	}
	call, within := d.call, t.telling
	switch {
	case d.refuse != nil && t.IsCancelled():
		call = d.refuse
	case d.refuse != nil:
		within = t.permitting // a cancel may come during the call
	}
	ctx, stop := context.WithTimeout(within, decisionTimeout)
	defer stop()
	return call(ctx)
}

// awaitCancel waits until a cancel of the turn has reached the backend. If a client
// cancels and closes at once, the agent must not keep working. The wait ends with ctx,
// or after linger.
func (t *Turn) awaitCancel(ctx context.Context) {
	if !t.IsCancelled() || t.session.backend == nil {
		return
	}
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-t.cancelPassed:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// settle waits for a cancel and for the decision being delivered. A backend may return
// from a cancelled turn before its Cancel was called; without the cancel, the agent would
// keep working. A cancel that arrives late would stop the next turn.
func (t *Turn) settle() {
	t.awaitCancel(t.session.ctx)
	defer time.AfterFunc(linger, t.hush).Stop()
	t.passing <- struct{}{}
	defer func() { <-t.passing }()
	t.settled = true
	t.hush()
}

func (t *Turn) call() (err error) {
	defer t.recoverPanic(&err)
	return t.session.runner.Turn(t.ctx, t)
}

// recoverPanic keeps a bug in a backend from ending other sessions.
func (t *Turn) recoverPanic(err *error) {
	if p := recover(); p != nil {
		t.session.log.Error("a turn panicked", "panic", p, "stack", string(debug.Stack()))
		*err = fmt.Errorf("the turn failed; this is a bug in Turnwire, see its log: %v", p)
	}
}

func code(err error) string {
	if c, ok := errors.AsType[Coded](err); ok {
		return c.Code()
	}
	return "agent_failed"
}
