package awaken

import (
	"context"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// send sends a decision. Once the turn is cancelled, it sends a refusal instead.
// If a permission may not have reached the server, only a refusal may follow it,
// with a cancel.
func (x *exchange) send(ctx context.Context, d decision) error {
	if d.resume {
		if err := x.permit(ctx, d); err == nil || !x.isCancelled() {
			x.passed(d, err == nil)
			return err
		}
		d = refusal(d.suspension)
	}
	err := x.try(ctx, d)
	x.passed(d, err == nil)
	return err
}

// permit sends a decision that resumes a call, unless the turn is cancelled in
// the meantime.
func (x *exchange) permit(ctx context.Context, d decision) error {
	within, stop := x.untilCancelled(ctx)
	defer stop()
	if within.Err() != nil {
		return within.Err()
	}
	return x.try(within, d)
}

// untilCancelled returns a context that also ends when the turn is cancelled.
func (x *exchange) untilCancelled(ctx context.Context) (context.Context, context.CancelFunc) {
	within, stop := context.WithCancel(ctx)
	if x.isCancelled() {
		stop()
		return within, stop
	}
	go func() {
		select {
		case <-x.turn.Cancelled():
			stop()
		case <-within.Done():
		}
	}()
	return within, stop
}

// try sends a decision. The server may not know yet that a run has been
// suspended, so try repeats a decision for which nothing waits.
func (x *exchange) try(ctx context.Context, d decision) error {
	run := x.currentRun()
	if run.Older {
		return x.backend.post(ctx, runPath(run.ID, "inputs"), map[string]any{"decisions": olderBodies([]decision{d})})
	}
	delay := x.backend.pace.retry
	for attempt := 1; ; attempt++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := x.backend.post(ctx, runPath(run.ID, "decision"), d.headBody(run.Target(d.suspension)))
		if !httpsse.HasStatus(err, http.StatusNotFound) || attempt == x.backend.pace.attempts || !x.pause(ctx, delay) {
			return err
		}
		run = x.currentRun()
		if _, open := run.Find(d.suspension.ID); !open {
			return nil // it was decided elsewhere
		}
		delay *= 2
	}
}

// passed records whether a decision has reached the server.
func (x *exchange) passed(d decision, arrived bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !arrived {
		x.decided[d.suspension.ID] = refusable
	}
}

// isCancelled reports whether the user has cancelled the turn.
func (x *exchange) isCancelled() bool {
	select {
	case <-x.turn.Cancelled():
		return true
	default:
		return false
	}
}

// pause waits for d, and reports whether to continue. A cancel ends the wait,
// because it is delivered after the decisions.
func (x *exchange) pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-x.turn.Cancelled():
	case <-ctx.Done():
	}
	return false
}

// start starts a run. After a cancel of the turn, it does not start a run that
// continues with permissions.
func (x *exchange) start(ctx context.Context, body map[string]any) (*httpsse.Stream, error) {
	if body["decisions"] == nil {
		return x.backend.client.Stream(ctx, http.MethodPost, "/v1/runs", body, "")
	}
	within, stop := context.WithCancel(ctx)
	started := make(chan struct{})
	go func() {
		select {
		case <-x.turn.Cancelled():
			stop()
		case <-started:
		case <-within.Done():
		}
	}()
	if x.isCancelled() {
		stop()
		return nil, within.Err()
	}
	events, err := x.backend.client.Stream(within, http.MethodPost, "/v1/runs", body, "")
	close(started)
	if err != nil {
		stop()
	}
	return events, err
}
