package awaken

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/remote"
)

// pageSize is the most that the event store gives at once.
const pageSize = 200

// UnwiredError says that a server keeps no events (its EventModule is not
// wired), so that nobody can read what follows where a stream has ended.
type UnwiredError struct {
	URL       string
	Suspended bool // the stream ended because the run waits for a decision
	Err       error
}

// Error implements error.
func (e *UnwiredError) Error() string {
	if e.Suspended {
		return fmt.Sprintf("Awaken's server at %s keeps no events, so what follows an approval cannot be shown, and the run was cancelled. "+
			"Give the server an event store (its EventModule), or allow the tool in the agent's permission rules", e.URL)
	}
	return fmt.Sprintf("%v. Awaken's server at %s keeps no events, so the run cannot be read on, and was cancelled. "+
		"Give the server an event store (its EventModule) to go on where a connection breaks", e.Err, e.URL)
}

// Unwrap returns the cause.
func (e *UnwiredError) Unwrap() error { return e.Err }

// Code implements driver.Coded.
func (*UnwiredError) Code() string { return "awaken_no_event_store" }

// storeError is what the event store says where its stream fails.
func storeError(data string) error {
	var f struct {
		Error string `json:"error"`
	}
	if json.Unmarshal([]byte(data), &f) != nil || f.Error == "" {
		return errors.New("the server's event store failed. See the server's log")
	}
	return fmt.Errorf("the server's event store failed: %s", f.Error)
}

// follow reads the run's events from the event store until the run ends. cause
// is why that is needed.
func (a *activity) follow(ctx context.Context, cause error) error {
	_, p := a.run.state()
	wasSuspended := p == suspended
	delay := a.backend.pace.retry
	for attempt := 1; ; attempt++ {
		from := a.cursor
		err := a.once(ctx)
		switch _, p := a.run.state(); {
		case a.over || p == ended || ctx.Err() != nil:
			return ctx.Err()
		case hasStatus(err, http.StatusGone): // the cursor is too old
			a.cursor = ""
		case hasStatus(err, http.StatusNotFound):
			return &UnwiredError{a.backend.client.URL(), wasSuspended, cause}
		case permanent(err):
			return err
		}
		if a.cursor != from && a.cursor != "" {
			attempt, delay = 0, a.backend.pace.retry
		}
		if attempt >= a.backend.pace.attempts {
			if err == nil {
				err = errEnded
			}
			return err
		}
		a.backend.log.Info("the stream of a run broke off", "error", err)
		if !a.backend.wait(ctx, delay) {
			return ctx.Err()
		}
		delay *= 2
	}
}

// permanent tells whether another try would fail too.
func permanent(err error) bool {
	answer, ok := errors.AsType[*remote.StatusError](err)
	if ok {
		return answer.Status/100 != 5 && answer.Status != http.StatusTooManyRequests && answer.Status != http.StatusRequestTimeout
	}
	_, ok = errors.AsType[*remote.UnexpectedError](err)
	return ok
}

// once reads the events behind the cursor, as long as the stream lasts.
// Without a cursor a stream begins with what comes next, so what has been is
// asked for before.
func (a *activity) once(ctx context.Context) error {
	if a.cursor == "" {
		a.seen.rewind()
		if err := a.catchUp(ctx); err != nil || a.over {
			return err
		}
		if _, p := a.run.state(); p == ended {
			return nil
		}
	}
	id, _, _ := a.run.place()
	events, err := a.backend.client.Stream(ctx, http.MethodGet, runPath(id, "events/stream"), nil, a.cursor)
	if err != nil {
		return err
	}
	a.release(ctx)
	return a.read(ctx, events, true)
}

// release sends the decisions that were kept until somebody reads what follows
// them.
func (a *activity) release(ctx context.Context) {
	a.mu.Lock()
	a.following = true
	kept := a.kept
	a.kept = nil
	a.mu.Unlock()
	for _, d := range kept {
		if err := a.send(ctx, d); err != nil && ctx.Err() == nil {
			a.backend.log.Warn("a decision could not be passed on", "error", err)
			goesOn := false
			a.turn.Emit(&agent.Error{Error: err.Error(), Fatal: &goesOn})
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
func (a *activity) catchUp(ctx context.Context) error {
	id, _, _ := a.run.place()
	for after := ""; ; {
		path := runPath(id, fmt.Sprintf("events?limit=%d", pageSize))
		if after != "" {
			path += "&cursor=" + url.QueryEscape(after)
		}
		var p page
		if err := a.backend.client.Call(ctx, http.MethodGet, path, nil, &p); err != nil {
			return err
		}
		for _, item := range p.Items {
			if !a.take(ctx, item) {
				return nil
			}
			if cursor := cursorIn(item); cursor != "" {
				a.cursor = cursor
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
	if json.Unmarshal(fact, &f) != nil {
		return ""
	}
	for _, c := range f.Cursors {
		if c.Scope.Type == "run" {
			return c.Cursor
		}
	}
	return ""
}
