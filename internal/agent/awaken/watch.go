package awaken

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// slowest is the maximum time between two reads of a run's record.
const slowest = 2 * time.Second

// watched reads the run's events while polling its record. A server whose store
// keeps no text, or commits a run's last facts with the next run, never reports
// the end through events. told is true if the record reported something that
// the events did not.
func (x *exchange) watched(ctx context.Context) (notified bool, err error) {
	within, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	var changed bool
	watch.Go(func() { changed = x.watch(within, stop) })
	err = x.once(within)
	stop()
	watch.Wait()
	if !changed || x.done || ctx.Err() != nil || x.currentRun().Phase == wire.Ended {
		return false, err
	}
	r, err := x.record(ctx)
	if err == nil {
		err = x.tell(ctx, r)
	}
	return err == nil, err
}

// watch polls the run's record until it twice contains something that the events
// did not report. Then it stops the reading of events.
func (x *exchange) watch(ctx context.Context, stop func()) (changed bool) {
	for delay := x.backend.pace.interval; x.backend.wait(ctx, delay); delay = min(2*delay, slowest) {
		r, err := x.record(ctx)
		switch {
		case err != nil && permanent(err):
			return false
		case err != nil || !x.isNews(r):
			changed = false
		case changed: // still not reported by the events
			stop()
			return true
		default:
			changed, delay = true, x.backend.pace.interval/2
		}
	}
	return false
}

// poll follows a run through its record and its thread alone, because the
// server stores no events. cause is why the first stream did not suffice.
func (x *exchange) poll(ctx context.Context, cause error) error {
	wasSuspended := x.currentRun().Phase == wire.Suspended
	attempt, delay := 0, x.backend.pace.interval
	for {
		r, err := x.record(ctx)
		if err == nil {
			before := len(x.processed)
			if err = x.tell(ctx, r); len(x.processed) != before {
				delay = x.backend.pace.interval
			}
		}
		switch {
		case x.done || ctx.Err() != nil || x.currentRun().Phase == wire.Ended:
			return ctx.Err()
		case httpsse.HasStatus(err, http.StatusNotFound):
			return &UnwiredError{x.backend.client.URL(), wasSuspended, cause}
		case err != nil && (permanent(err) || attempt >= x.backend.pace.attempts):
			return err
		case err != nil:
			attempt++
		default:
			attempt = 0
			x.release(ctx)
		}
		if !x.backend.wait(ctx, delay) {
			return ctx.Err()
		}
		delay = min(2*delay, slowest)
	}
}
