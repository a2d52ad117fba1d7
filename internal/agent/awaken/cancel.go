package awaken

import (
	"context"
	"net/http"
	"net/url"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// cancel cancels the run, and refuses its pending requests, including those
// that were allowed but not sent yet. A run that has not begun is cancelled
// when it does.
func (x *exchange) cancel(ctx context.Context) error {
	x.mu.Lock()
	run := x.run
	x.cancelWanted = true
	if x.cancelSent || run.ID == "" && !x.leaving {
		x.mu.Unlock()
		return nil
	}
	x.cancelSent = true
	for _, d := range x.deferred {
		x.decided[d.suspension.ID] = undecided
	}
	x.deferred = nil
	var refused []wire.Suspension
	for _, s := range run.Waiting {
		if x.decided[s.ID] != onItsWay {
			x.decided[s.ID] = onItsWay
			refused = append(refused, s)
		}
	}
	x.mu.Unlock()
	for _, s := range refused {
		if err := x.refuse(ctx, s); err != nil {
			x.backend.log.Info("a suspended call could not be refused", "run", run.ID, "error", err)
		}
	}
	path := runPath(run.ID, "cancel")
	if run.ID == "" {
		if run.Thread == "" {
			return nil // nothing to cancel is known
		}
		path = "/v1/threads/" + url.PathEscape(run.Thread) + "/cancel"
	}
	err := x.backend.post(ctx, path, nil)
	if httpsse.HasStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusGone) {
		return nil // the run is over
	}
	return err
}

// refuse refuses a suspension. It tries once, because the run is cancelled in
// any case.
func (x *exchange) refuse(ctx context.Context, s wire.Suspension) error {
	run := x.currentRun()
	if run.Older {
		return x.backend.post(ctx, runPath(run.ID, "inputs"), map[string]any{"decisions": olderBodies([]decision{refusal(s)})})
	}
	return x.backend.post(ctx, runPath(run.ID, "decision"), refusal(s).headBody(run.Target(s)))
}

// leave cancels a run that outlives its turn, because closing its stream does
// not stop it.
func (x *exchange) leave(ctx context.Context) {
	if !x.begun || !x.currentRun().Unfinished() {
		return
	}
	x.mu.Lock()
	x.leaving = true
	x.mu.Unlock()
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), x.backend.pace.leave)
	defer stop()
	if err := x.cancel(ctx); err != nil {
		x.backend.log.Warn("a run could not be cancelled", "error", err)
	}
}
