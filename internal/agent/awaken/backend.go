package awaken

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// A pace sets time limits and retry intervals.
type pace struct {
	retry    time.Duration // delay before the second try; doubled for each further one
	attempts int           // tries without a new event, before a broken stream ends the turn
	grace    time.Duration // how long a cancelled run may take to report its end
	leave    time.Duration // how long cancelling an abandoned run may take
	interval time.Duration // time between two reads of a run's record; doubled up to slowest
	silence  time.Duration // delay before the user is told that a run has been silent since its stream broke off
}

var defaultPace = pace{
	retry: 250 * time.Millisecond, attempts: 6, grace: 3 * time.Second, leave: 5 * time.Second, interval: 300 * time.Millisecond,
	silence: 15 * time.Second,
}

// backend is one conversation: a thread on the server.
type backend struct {
	client  *httpsse.Client
	agentID string
	pace    pace
	log     *slog.Logger

	mu     sync.Mutex
	thread string    // "" until the server has named one
	now    *exchange // of the running turn

	recalled bool // the thread is from an earlier session, and was not looked up yet; used only by Turn
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	x := &exchange{backend: b, turn: t, decided: make(map[string]progress), processed: make(map[string]bool), changed: make(chan struct{}, 1), sending: make(chan struct{}, 1)}
	x.state = wire.NewState(wire.Run{Thread: b.named()}, x.setRun)
	x.decoder = wire.NewDecoder(x.state)
	b.enter(x)
	defer b.enter(nil)
	select {
	case <-t.Cancelled(): // before there was anything to cancel
		return nil
	default:
	}
	within, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { b.limit(within, t.Cancelled(), stop) })
	defer watch.Wait()
	defer stop()
	defer x.leave(ctx)
	b.lookFor(within, t)
	return x.work(within)
}

// enter makes x the running turn.
func (b *backend) enter(x *exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = x
}

// named returns the server's name of the thread, or "" if it has none yet.
func (b *backend) named() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.thread
}

// name records the first name that the server gives the thread.
func (b *backend) name(thread string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.thread = cmp.Or(b.thread, thread)
}

// keep reports the name under which the server stores the conversation, if it
// changed.
func (b *backend) keep(t *lifecycle.Turn) {
	b.mu.Lock()
	thread := b.thread
	b.mu.Unlock()
	t.Keep(thread)
}

// lookFor notifies the user if the server has lost the thread to continue. The
// server would silently start another thread with the same name.
func (b *backend) lookFor(ctx context.Context, t *lifecycle.Turn) {
	if !b.recalled {
		return
	}
	err := b.client.Call(ctx, http.MethodGet, "/v1/threads/"+url.PathEscape(b.named()), nil, nil)
	if ctx.Err() != nil {
		return
	}
	b.recalled = false
	// A server without that route says nothing about the thread.
	if e, ok := errors.AsType[*httpsse.StatusError](err); ok && e.Status == http.StatusNotFound && strings.Contains(e.Detail, "thread not found") {
		t.Emit(&agent.Notice{
			Severity: "warning", Message: "Awaken's server no longer knows this conversation. A new one starts here.",
		})
	}
}

// limit stops a cancelled turn whose run does not end in time.
func (b *backend) limit(ctx context.Context, cancelled <-chan struct{}, stop func()) {
	select {
	case <-cancelled:
	case <-ctx.Done():
		return
	}
	b.wait(ctx, b.pace.grace)
	stop()
}

// wait waits for d, and returns false if ctx ended first.
func (b *backend) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// current returns the running exchange, or nil if it has just ended or not begun.
func (b *backend) current() *exchange {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

// Confirm implements [lifecycle.Backend].
func (b *backend) Confirm(ctx context.Context, r agent.ConfirmationResponse) error {
	x := b.current()
	if x == nil {
		return nil
	}
	run := x.currentRun()
	list := run.Permissions(r.ToolCallID)
	if r.ConfirmationID != "" {
		list = slices.DeleteFunc(slices.Clone(run.Waiting), func(s wire.Suspension) bool { return !s.Permission || s.ID != r.ConfirmationID })
	}
	var failed []error
	for _, s := range list { // empty if it was decided elsewhere
		d := permission(s, r.Decision)
		if len(list) > 1 { // an ambiguous answer is consent to none of them
			d = refusal(s)
		}
		failed = append(failed, x.decide(ctx, d))
	}
	return errors.Join(failed...)
}

// Answer implements [lifecycle.Backend]. An invalid answer cancels the call, which
// must not wait forever.
func (b *backend) Answer(ctx context.Context, r agent.QuestionResponse) error {
	x := b.current()
	if x == nil {
		return nil
	}
	s, ok := x.currentRun().Find(r.QuestionID)
	if !ok {
		return nil
	}
	value, wrong := s.Answer.Value(r)
	err := x.decide(ctx, decision{suspension: s, resume: value != nil, payload: value})
	if wrong != nil {
		return wrong
	}
	return err
}

// Cancel implements [lifecycle.Backend].
func (b *backend) Cancel(ctx context.Context, _ string) error {
	x := b.current()
	if x == nil {
		return nil
	}
	return x.cancel(ctx)
}

// Close implements [lifecycle.Backend].
func (b *backend) Close(context.Context) error {
	b.client.Close()
	return nil
}

// post sends a command.
func (b *backend) post(ctx context.Context, path string, body any) error {
	return b.client.Call(ctx, http.MethodPost, path, body, nil)
}
