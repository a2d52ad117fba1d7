package awaken

import (
	"context"
	"net/http"
	"net/url"
)

// cancel cancels the run, and refuses what it waits for: also what was allowed
// and not passed on yet. A run that has not begun is cancelled when it does.
func (x *exchange) cancel(ctx context.Context) error {
	id, thread, _ := x.run.place()
	x.mu.Lock()
	x.wanted = true
	if x.told || id == "" && !x.leaving {
		x.mu.Unlock()
		return nil
	}
	x.told = true
	for _, d := range x.kept {
		x.decided[d.suspension.id] = undecided
	}
	x.kept = nil
	var refused []suspension
	for _, s := range x.run.waiting() {
		if x.decided[s.id] != onItsWay {
			x.decided[s.id] = onItsWay
			refused = append(refused, s)
		}
	}
	x.mu.Unlock()
	for _, s := range refused {
		if err := x.refuse(ctx, s); err != nil {
			x.backend.log.Info("a suspended call could not be refused", "run", id, "error", err)
		}
	}
	path := runPath(id, "cancel")
	if id == "" {
		if thread == "" {
			return nil // nothing is known to cancel
		}
		path = "/v1/threads/" + url.PathEscape(thread) + "/cancel"
	}
	err := x.backend.post(ctx, path, nil)
	if hasStatus(err, http.StatusNotFound, http.StatusConflict, http.StatusGone) {
		return nil // it is over
	}
	return err
}

// refuse refuses a suspension, in one try: the run is cancelled in any case.
func (x *exchange) refuse(ctx context.Context, s suspension) error {
	id, _, older := x.run.place()
	if older {
		return x.backend.post(ctx, runPath(id, "inputs"), map[string]any{"decisions": olderBodies([]decision{refusal(s)})})
	}
	return x.backend.post(ctx, runPath(id, "decision"), refusal(s).headBody(x.run.target(s)))
}

// leave cancels a run that has not ended when its turn has: closing its stream
// does not.
func (x *exchange) leave(ctx context.Context) {
	if !x.begun || !x.run.unfinished() {
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
