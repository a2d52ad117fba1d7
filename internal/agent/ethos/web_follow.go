package ethos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// A pace is how soon a stream that has broken off is opened again.
type pace struct {
	// waits are the pauses before the attempts. After the last of them the turn
	// is given up.
	waits []time.Duration
	// steady is how long a stream must last for the attempts to begin anew,
	// though it has brought nothing: Ethos may just have nothing to say, and
	// some proxies cut what is silent.
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
			if w.over || ctx.Err() != nil {
				return ctx.Err()
			}
			if _, idle := errors.AsType[*httpsse.IdleError](err); idle {
				return err
			}
			if long, ok := errors.AsType[*httpsse.TooLongError](err); ok {
				w.refuseUnread(ctx, long.Head)
				return err // it would come again
			}
			if w.heard || time.Since(opened) >= p.steady {
				attempt = 0
			}
			w.backend.log.Info("the stream of Ethos has broken off", "error", err)
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

// lost is the error of a stream that breaks off again and again: err, or that
// Ethos ends it in good order.
func (w *webTurn) lost(err error) error {
	if err != nil {
		return err
	}
	return &agentError{codeDisconnected, fmt.Sprintf("%s ends the stream of the turn again and again, and does not say how it goes on. See the log of `ethos serve`", w.backend.client.Load().URL()), nil}
}

// pause waits, and reports whether ctx goes on.
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

// read reads a stream until it breaks off, which the error explains, or the
// turn is over.
func (w *webTurn) read(ctx context.Context, stream *httpsse.Stream) error {
	w.heard = false
	for event, err := range stream.All() {
		if err != nil {
			return err
		}
		if event.ID != "" {
			w.backend.lastID = event.ID
		}
		if w.take(ctx, []byte(event.Data)); w.over {
			return nil
		}
	}
	return nil
}

// passing reports whether a call that has failed may succeed soon.
func passing(err error) bool {
	if e, ok := errors.AsType[*httpsse.StatusError](err); ok {
		return e.Status >= http.StatusInternalServerError
	}
	_, ok := errors.AsType[*httpsse.UnreachableError](err)
	return ok
}
