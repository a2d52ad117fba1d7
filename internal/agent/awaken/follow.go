package awaken

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// pageSize is the maximum number of facts that the event store returns at
// once.
const pageSize = 200

// follow reads the run's events from the event store until the run ends. cause
// is why the first stream did not suffice.
func (x *exchange) follow(ctx context.Context, cause error) error {
	if x.currentRun().Phase != wire.Suspended {
		within, stop := context.WithCancel(ctx)
		var silence sync.WaitGroup
		silence.Go(func() { x.noteSilence(within) })
		defer silence.Wait()
		defer stop()
	}
	delay := x.backend.pace.retry
	for attempt := 1; ; attempt++ {
		from := x.cursor
		notified, err := x.watched(ctx)
		switch {
		case x.done || x.currentRun().Phase == wire.Ended || ctx.Err() != nil:
			return ctx.Err()
		case httpsse.HasStatus(err, http.StatusGone): // the cursor is too old
			x.cursor = ""
		case httpsse.HasStatus(err, http.StatusNotFound):
			return x.poll(ctx, cause)
		case permanent(err):
			return err
		}
		if notified || x.cursor != from && x.cursor != "" {
			attempt, delay = 0, x.backend.pace.retry
		}
		if attempt >= x.backend.pace.attempts {
			if err == nil {
				err = &EndedError{URL: x.backend.client.URL(), Begun: true}
			}
			return err
		}
		if notified {
			continue
		}
		x.backend.log.Info("the stream of a run was interrupted", "error", err)
		if !x.backend.wait(ctx, delay) {
			return ctx.Err()
		}
		delay *= 2
	}
}

// noteSilence tells the user if a run is silent after its stream broke off. A
// restarted server has forgotten the run, and does not say so.
func (x *exchange) noteSilence(ctx context.Context) {
	before := x.taken.Load()
	if x.backend.wait(ctx, x.backend.pace.silence) && x.taken.Load() == before {
		x.turn.Emit(&agent.Notice{
			Severity: "warning", Message: "The run's stream was interrupted, and nothing has arrived since. If Awaken's server was restarted, the run is lost: cancel it and ask again.",
		})
	}
}

// permanent reports whether another try would fail too.
func permanent(err error) bool {
	answer, ok := errors.AsType[*httpsse.StatusError](err)
	if ok {
		return answer.Status/100 != 5 && answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusRequestTimeout
	}
	_, ok = errors.AsType[*httpsse.UnexpectedError](err)
	return ok
}

// once reads the events after the cursor, until the stream ends. Without a
// cursor, a stream begins with new events, so once requests the earlier ones
// first.
func (x *exchange) once(ctx context.Context) error {
	if x.cursor == "" {
		x.state.Rewind()
		if err := x.catchUp(ctx); err != nil || x.done {
			return err
		}
		if x.currentRun().Phase == wire.Ended {
			return nil
		}
	}
	events, err := x.backend.client.Stream(ctx, http.MethodGet, runPath(x.currentRun().ID, "events/stream"), nil, x.cursor)
	if err != nil {
		return err
	}
	x.release(ctx)
	return x.read(ctx, events, true)
}

// release sends the decisions that were deferred until the events after them
// are read.
func (x *exchange) release(ctx context.Context) {
	select {
	case x.sending <- struct{}{}:
		defer func() { <-x.sending }()
	case <-ctx.Done():
		return
	}
	x.mu.Lock()
	x.following = true
	deferred := x.deferred
	x.deferred = nil
	x.mu.Unlock()
	for _, d := range deferred {
		if err := x.send(ctx, d); err != nil && ctx.Err() == nil {
			x.backend.log.Warn("a decision could not be delivered", "error", err)
			goesOn := false
			x.turn.Emit(&agent.Error{Error: err.Error(), Fatal: &goesOn})
		}
	}
}

// A page is a part of the list of a run's facts.
type page struct {
	Items      []json.RawMessage `json:"items"`
	NextCursor string            `json:"next_cursor"`
	HasMore    bool              `json:"has_more"`
}

// catchUp reads all of the run's facts in the event store.
func (x *exchange) catchUp(ctx context.Context) error {
	id := x.currentRun().ID
	for after := ""; ; {
		path := runPath(id, fmt.Sprintf("events?limit=%d", pageSize))
		if after != "" {
			path += "&cursor=" + url.QueryEscape(after)
		}
		var p page
		if err := x.backend.client.Call(ctx, http.MethodGet, path, nil, &p); err != nil {
			return err
		}
		for _, item := range p.Items {
			if !x.handle(ctx, item) {
				return nil
			}
			x.cursor = cmp.Or(x.state.Cursor(), x.cursor)
		}
		if !p.HasMore || p.NextCursor == "" || p.NextCursor == after {
			return nil
		}
		after = p.NextCursor
	}
}
