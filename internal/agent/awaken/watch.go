package awaken

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
)

// slowest is the longest time between two looks at a run.
const slowest = 2 * time.Second

// watched reads the events of the run, and looks at its record meanwhile: a
// server whose store keeps no text, or commits the last facts of a run with the
// next one, never says there that it is over. told is true where the record had
// to say what the events did not.
func (x *exchange) watched(ctx context.Context) (told bool, err error) {
	within, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	var news bool
	watch.Go(func() { news = x.look(within, stop) })
	err = x.once(within)
	stop()
	watch.Wait()
	if !news || x.over || ctx.Err() != nil || x.currentRun().Phase == wire.Ended {
		return false, err
	}
	r, err := x.record(ctx)
	if err == nil {
		err = x.tell(ctx, r)
	}
	return err == nil, err
}

// look looks at the run's record until it says what the events do not, and goes
// on to say so. Then it stops the reading of the events.
func (x *exchange) look(ctx context.Context, stop func()) (news bool) {
	for delay := x.backend.pace.look; x.backend.wait(ctx, delay); delay = min(2*delay, slowest) {
		r, err := x.record(ctx)
		switch {
		case err != nil && permanent(err):
			return false
		case err != nil || !x.isNews(r):
			news = false
		case news: // for a while
			stop()
			return true
		default:
			news, delay = true, x.backend.pace.look/2
		}
	}
	return false
}

// poll tells of a run from its record and its thread alone, step by step: the
// server keeps no events. cause is why it is read on.
func (x *exchange) poll(ctx context.Context, cause error) error {
	wasSuspended := x.currentRun().Phase == wire.Suspended
	attempt, delay := 0, x.backend.pace.look
	for {
		r, err := x.record(ctx)
		if err == nil {
			before := len(x.told)
			if err = x.tell(ctx, r); len(x.told) != before {
				delay = x.backend.pace.look
			}
		}
		switch {
		case x.over || ctx.Err() != nil || x.currentRun().Phase == wire.Ended:
			return ctx.Err()
		case hasStatus(err, http.StatusNotFound):
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
