package ethos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// A pace says how soon a broken stream is reopened.
type pace struct {
	// waits are the delays before the attempts. If the last one fails, so does
	// the turn.
	waits []time.Duration
	// steady is how long a stream must last to reset the attempts even though
	// it brought no event. Ethos may just have nothing to send, and some
	// proxies cut silent connections.
	steady time.Duration
}

var defaultPace = pace{
	waits:  []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second},
	steady: 10 * time.Second,
}

// follow reads the turn's events to its end, across breaks of the stream.
func (w *webTurn) follow(ctx context.Context, stream *httpsse.Stream) error {
	p := w.backend.pace
	for attempt := 0; ; attempt++ {
		var err error
		if stream != nil {
			opened := time.Now()
			err = w.read(ctx, stream)
			stream.Close()
			if w.done || ctx.Err() != nil {
				return ctx.Err()
			}
			if _, idle := errors.AsType[*httpsse.IdleError](err); idle {
				return err
			}
			if long, ok := errors.AsType[*httpsse.TooLongError](err); ok {
				w.refuseUnread(ctx, long.Head)
				return err // the same event would come again
			}
			if w.receiving || time.Since(opened) >= p.steady {
				attempt = 0
			}
			w.backend.log.Info("the Ethos stream was interrupted", "error", err)
		}
		if attempt == len(p.waits) {
			return w.lost(err)
		}
		if !pause(ctx, p.waits[attempt]) {
			return ctx.Err()
		}
		if stream, err = w.backend.open(ctx); err != nil && (attempt+1 == len(p.waits) || !passing(err)) {
			return err
		}
	}
}

// lost returns the error of a stream that breaks repeatedly: err, or that Ethos
// keeps ending it cleanly.
func (w *webTurn) lost(err error) error {
	if err != nil {
		return err
	}
	return &agentError{codeDisconnected, fmt.Sprintf("%s repeatedly closes the turn's stream without progress. See the log of `ethos serve`", w.backend.client.Load().URL()), nil}
}

// pause waits for d, and returns false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// read reads a stream until it breaks, which the error explains, or the turn is
// over.
func (w *webTurn) read(ctx context.Context, stream *httpsse.Stream) error {
	w.receiving = false
	for event, err := range stream.All() {
		if err != nil {
			return err
		}
		if event.ID != "" {
			w.backend.lastID = event.ID
		}
		if w.handle(ctx, []byte(event.Data)); w.done {
			return nil
		}
	}
	return nil
}

// passing reports whether a failed call may succeed soon.
func passing(err error) bool {
	if e, ok := errors.AsType[*httpsse.StatusError](err); ok {
		return e.Status >= http.StatusInternalServerError
	}
	_, ok := errors.AsType[*httpsse.UnreachableError](err)
	return ok
}
