package awaken

import (
	"context"
	"net/http"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/reconnect"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// post sends a command.
func (b *backend) post(ctx context.Context, path string, body any) error {
	return b.client.Call(ctx, http.MethodPost, path, body, nil)
}

// deliver sends an answer once.
func (x *exchange) deliver(ctx context.Context, a requests.Answer) error {
	d, open := x.run.Decision(a)
	switch {
	case !open:
		return nil // it was decided elsewhere
	case x.run.Now().Older:
		return x.post(ctx, x.run.Path("/inputs"), map[string]any{"decisions": x.inputs(a)})
	}
	return x.post(ctx, x.run.Path("/decision"), d.Body())
}

// send sends an answer. It sends no permission after a cancel of the turn. The server may
// not know yet that a run has been suspended, so an answer for which nothing waits is sent
// again.
func (x *exchange) send(ctx context.Context, a requests.Answer) error {
	within, end := x.turn.UntilCancelled(ctx)
	defer end()
	if a.Allows() {
		ctx = within
	}
	return x.pace.waits.Retry(within, func() (reconnect.Outcome, error) {
		err := x.deliver(ctx, a)
		switch {
		case x.run.Now().Older && isOver(err):
			// The run is already suspended, and its stream is about to report that.
			return reconnect.Final, requests.ErrLater
		case httpsse.HasStatus(err, http.StatusNotFound):
			return reconnect.Broken, err
		}
		return reconnect.Final, err
	})
}

// isOver reports whether the server refuses a command because the run is over.
func isOver(err error) bool {
	return httpsse.HasStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusGone)
}

// release sends the decisions that were deferred until the events after them
// are read.
func (x *exchange) release(ctx context.Context) {
	err := x.run.Requests.Release(ctx, func(ctx context.Context, a requests.Answer) error {
		err := x.send(ctx, a)
		if err != nil && x.turn.IsCancelled() { // the cancel did not refuse it, because it was being sent
			err = x.deliver(ctx, a.Refusal(""))
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		x.turn.Report(err)
	}
}

// cancel cancels the run, once, and refuses its pending requests, including those
// that were allowed but not sent yet. A run that has not begun is cancelled
// when it does, unless the turn leaves it.
func (x *exchange) cancel(ctx context.Context, leaving bool) error {
	path := x.run.Cancel(leaving)
	if path == "" {
		return nil
	}
	_ = x.run.Requests.RefuseAll(ctx, func(ctx context.Context, a requests.Answer) error {
		if err := x.deliver(ctx, a); err != nil {
			x.log.Info("a suspended call could not be refused", "error", err)
		}
		return nil // try once, because the run is cancelled in any case
	})
	if err := x.post(ctx, path, nil); !isOver(err) {
		return err
	}
	return nil
}

// leave cancels a run that outlives its turn, because closing its stream does
// not stop it.
func (x *exchange) leave(ctx context.Context) {
	if !x.begun || !x.run.Now().Unfinished() {
		return
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), x.pace.leave)
	defer stop()
	if err := x.cancel(ctx, true); err != nil {
		x.log.Warn("a run could not be cancelled", "error", err)
	}
}
