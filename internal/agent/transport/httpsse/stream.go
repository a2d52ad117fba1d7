package httpsse

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"
)

// Stream is an open stream of events.
type Stream struct {
	client *Client
	r      *http.Response
	ctx    context.Context
	cancel context.CancelCauseFunc
	idle   *time.Timer // nil if there is no limit
	first  *time.Timer // limits the wait for the first bytes; nil if unlimited, or they arrived
}

// Stream sends a request and opens the stream in its response. If lastEventID
// is not empty, it asks the server to continue after that event. The stream
// ends with ctx. The caller must close it.
func (c *Client) Stream(ctx context.Context, method, path string, body any, lastEventID string) (*Stream, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	late := time.AfterFunc(c.config.StartTimeout, func() { cancel(ErrLate) })
	header := http.Header{"Accept": {"text/event-stream"}, "Cache-Control": {"no-cache"}}
	if lastEventID != "" {
		header.Set("Last-Event-ID", lastEventID)
	}
	r, err := c.send(ctx, method, path, body, header)
	if err != nil {
		late.Stop()
		cancel(nil)
		return nil, err
	}
	if mediaType(r.Header) != "text/event-stream" {
		// Read it while the timer runs: the body may never end.
		raw, _ := io.ReadAll(io.LimitReader(r.Body, maxDetail))
		err = &UnexpectedError{placeOf(r.Request), "an event stream", describe(r.Header, raw), nil}
	}
	if !late.Stop() && err == nil { // the timer fired during the read
		err = c.unreachable(ctx, r.Request, ErrLate)
	}
	if err != nil {
		_ = r.Body.Close()
		cancel(nil)
		return nil, err
	}
	e := &Stream{client: c, r: r, ctx: ctx, cancel: cancel}
	if limit := c.config.StartTimeout; c.config.Prompt {
		e.first = time.AfterFunc(limit, func() { cancel(&IdleError{placeOf(r.Request), limit, "start"}) })
	}
	if limit := c.config.IdleTimeout; limit > 0 {
		e.idle = time.AfterFunc(limit, func() { cancel(&IdleError{placeOf(r.Request), limit, "idle"}) })
		e.idle.Stop()
	}
	return e, nil
}

// All yields the events until EOF, or a final error. It can be called once.
func (e *Stream) All() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for event, err := range ReadEvents(e) {
			if err != nil {
				yield(Event{}, e.client.broken(e, err))
				return
			}
			if !yield(event, nil) {
				return
			}
		}
	}
}

// broken returns the reason why a stream broke off.
func (c *Client) broken(e *Stream, err error) error {
	if idle, ok := context.Cause(e.ctx).(*IdleError); ok { //nolint:errorlint // it is the cause itself
		return idle
	}
	return c.brokenOff(e.ctx, e.r.Request, err)
}

// Read implements [io.Reader]. A stream counts as idle only while a read
// waits, not while nobody reads.
func (e *Stream) Read(p []byte) (int, error) {
	if e.idle != nil {
		e.idle.Reset(e.client.config.IdleTimeout)
		defer e.idle.Stop()
	}
	n, err := e.r.Body.Read(p)
	if n > 0 && e.first != nil {
		e.first.Stop()
		e.first = nil
	}
	return n, err
}

// Close ends the stream.
func (e *Stream) Close() {
	if e.first != nil {
		e.first.Stop()
	}
	if e.idle != nil {
		e.idle.Stop()
	}
	e.cancel(nil)
	_ = e.r.Body.Close()
}

// StreamFirst is like Stream for the first of the paths that exists, which it returns. If
// one exists, but responds with something other than a stream, the next one is tried too.
func (c *Client) StreamFirst(ctx context.Context, method string, paths []string, body any) (s *Stream, path string, err error) {
	var other error // from a path that exists
	for _, path = range paths {
		s, err = c.Stream(ctx, method, path, body, "")
		_, unexpected := errors.AsType[*UnexpectedError](err)
		switch {
		case HasStatus(err, http.StatusNotFound, http.StatusMethodNotAllowed):
		case unexpected && len(paths) > 1 && ctx.Err() == nil:
			other = err
		default:
			return s, path, err
		}
	}
	if other != nil {
		err = other
	}
	return nil, paths[0], err
}
