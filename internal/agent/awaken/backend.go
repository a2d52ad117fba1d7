package awaken

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/reconnect"
)

// A pace sets time limits and retry intervals.
type pace struct {
	waits    reconnect.Waits // before a stream is read again, and a decision sent again
	grace    time.Duration   // how long a cancelled run may take to report its end
	leave    time.Duration   // how long cancelling an abandoned run may take
	interval time.Duration   // time between two reads of a run's record; doubled up to slowest
	silence  time.Duration   // delay before the user is told that a run has been silent since its stream broke off
}

var defaultPace = pace{
	waits: reconnect.Default(), grace: 3 * time.Second, leave: 5 * time.Second, interval: 300 * time.Millisecond, silence: 15 * time.Second,
}

// backend is one conversation: a thread on the server.
type backend struct {
	client  *httpsse.Client
	agentID string
	pace    pace
	log     *slog.Logger
	current atomic.Pointer[exchange]

	// Used only by Turn.
	thread   string // "" until the server has named one
	recalled bool   // the thread is from an earlier session, and was not looked up yet
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	x := newExchange(b, t)
	b.current.Store(x)
	defer b.current.Store(nil)
	if t.IsCancelled() { // before there was anything to cancel
		return nil
	}
	within, stop := t.AfterCancel(ctx, b.pace.grace)
	defer stop()
	defer x.leave(ctx)
	b.lookFor(within, t)
	return x.work(within)
}

// lookFor notifies the user if the server has lost the thread to continue. The
// server would silently start another thread with the same name.
func (b *backend) lookFor(ctx context.Context, t *lifecycle.Turn) {
	if !b.recalled {
		return
	}
	err := b.client.Call(ctx, http.MethodGet, "/v1/threads/"+url.PathEscape(b.thread), nil, nil)
	if ctx.Err() != nil {
		return
	}
	b.recalled = false
	// A server without that route says nothing about the thread.
	if e, ok := errors.AsType[*httpsse.StatusError](err); ok && e.Status == http.StatusNotFound && strings.Contains(e.Detail, "thread not found") {
		t.Restart("Awaken's server")
	}
}

// Confirm implements [lifecycle.Backend].
func (b *backend) Confirm(ctx context.Context, r agent.ConfirmationResponse) error {
	if x := b.current.Load(); x != nil {
		return x.run.Requests.Confirm(ctx, r, x.send)
	}
	return nil
}

// Answer implements [lifecycle.Backend].
func (b *backend) Answer(ctx context.Context, r agent.QuestionResponse) error {
	if x := b.current.Load(); x != nil {
		return x.run.Answer(ctx, r, x.send)
	}
	return nil
}

// Cancel implements [lifecycle.Backend].
func (b *backend) Cancel(ctx context.Context, _ string) error {
	if x := b.current.Load(); x != nil {
		return x.cancel(ctx, false)
	}
	return nil
}

// Close implements [lifecycle.Backend].
func (b *backend) Close(context.Context) error {
	b.client.Close()
	return nil
}
