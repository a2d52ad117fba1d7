package awaken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// pageSize is the most that the event store gives at once.
const pageSize = 200

// follow reads the run's events from the event store until the run ends. cause
// is why that is needed.
func (x *exchange) follow(ctx context.Context, cause error) error {
	_, p := x.run.state()
	wasSuspended := p == suspended
	delay := x.backend.pace.retry
	for attempt := 1; ; attempt++ {
		from := x.cursor
		err := x.once(ctx)
		switch _, p := x.run.state(); {
		case x.over || p == ended || ctx.Err() != nil:
			return ctx.Err()
		case hasStatus(err, http.StatusGone): // the cursor is too old
			x.cursor = ""
		case hasStatus(err, http.StatusNotFound):
			return &UnwiredError{x.backend.client.URL(), wasSuspended, cause}
		case permanent(err):
			return err
		}
		if x.cursor != from && x.cursor != "" {
			attempt, delay = 0, x.backend.pace.retry
		}
		if attempt >= x.backend.pace.attempts {
			if err == nil {
				err = &EndedError{URL: x.backend.client.URL(), Begun: true}
			}
			return err
		}
		x.backend.log.Info("the stream of a run broke off", "error", err)
		if !x.backend.wait(ctx, delay) {
			return ctx.Err()
		}
		delay *= 2
	}
}

// permanent tells whether another try would fail too.
func permanent(err error) bool {
	answer, ok := errors.AsType[*httpsse.StatusError](err)
	if ok {
		return answer.Status/100 != 5 && answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusRequestTimeout
	}
	_, ok = errors.AsType[*httpsse.UnexpectedError](err)
	return ok
}

// once reads the events behind the cursor, as long as the stream lasts.
// Without a cursor a stream begins with what comes next, so what has been is
// asked for before.
func (x *exchange) once(ctx context.Context) error {
	if x.cursor == "" {
		x.seen.rewind()
		if err := x.catchUp(ctx); err != nil || x.over {
			return err
		}
		if _, p := x.run.state(); p == ended {
			return nil
		}
	}
	id, _, _ := x.run.place()
	events, err := x.backend.client.Stream(ctx, http.MethodGet, runPath(id, "events/stream"), nil, x.cursor)
	if err != nil {
		return err
	}
	x.release(ctx)
	return x.read(ctx, events, true)
}

// release sends the decisions that were kept until somebody reads what follows
// them.
func (x *exchange) release(ctx context.Context) {
	x.mu.Lock()
	x.following = true
	kept := x.kept
	x.kept = nil
	x.mu.Unlock()
	for _, d := range kept {
		if err := x.send(ctx, d); err != nil && ctx.Err() == nil {
			x.backend.log.Warn("a decision could not be passed on", "error", err)
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

// catchUp reads what the event store has of the run.
func (x *exchange) catchUp(ctx context.Context) error {
	id, _, _ := x.run.place()
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
			if !x.take(ctx, item) {
				return nil
			}
			if cursor := cursorIn(item); cursor != "" {
				x.cursor = cursor
			}
		}
		if !p.HasMore || p.NextCursor == "" || p.NextCursor == after {
			return nil
		}
		after = p.NextCursor
	}
}

// cursorIn is where a fact stands among those of its run.
func cursorIn(fact json.RawMessage) string {
	var f struct {
		Cursors []struct {
			Scope struct {
				Type string `json:"scope_type"`
			} `json:"scope"`
			Cursor string `json:"cursor"`
		} `json:"cursors_by_scope"`
	}
	if exactjson.Unmarshal(fact, &f) != nil {
		return ""
	}
	for _, c := range f.Cursors {
		if c.Scope.Type == "run" {
			return c.Cursor
		}
	}
	return ""
}
