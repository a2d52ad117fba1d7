package natsstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	// retryWait is the pause before another attempt.
	retryWait = 100 * time.Millisecond
	// brokenWait bounds the pause while the connection is broken.
	brokenWait = 5 * time.Second
)

var errAway = errors.New("the store is unreachable")

// A connection is the connection to NATS. It knows whether the server answers, bounds calls,
// and runs the goroutines that end with the connection. It is safe for concurrent use.
type connection struct {
	url  string
	log  *slog.Logger
	nc   *nats.Conn
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup
	away atomic.Bool               // the server did not answer in time
	back atomic.Pointer[time.Time] // when the connection came back; nil if it never broke

	mu   sync.Mutex         // guards the following fields
	live context.Context    //nolint:containedctx // it ends when the connection breaks
	cut  context.CancelFunc // ends live
	// restored is closed when a broken connection comes back. It is nil if the connection
	// isn't broken.
	restored chan struct{}
}

func newConnection(cfg Config, nc *nats.Conn) *connection {
	c := &connection{url: cfg.URL, log: cfg.Log, nc: nc}
	c.ctx, c.stop = context.WithCancel(context.Background())
	c.live, c.cut = context.WithCancel(c.ctx)
	nc.SetDisconnectErrHandler(func(_ *nats.Conn, err error) {
		if err != nil {
			c.log.Warn("the store is unreachable", "error", err)
		}
		c.broke()
	})
	nc.SetReconnectHandler(func(*nats.Conn) {
		c.back.Store(new(time.Now()))
		c.restore()
		c.log.Info("the store is reachable again")
	})
	return c
}

// close stops the goroutines, then closes the connection.
func (c *connection) close() {
	c.stop()
	c.work.Wait()
	c.nc.Close()
}

// broke ends all calls: their responses would have come on the connection that broke.
func (c *connection) broke() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut()
	c.live, c.cut = context.WithCancel(c.ctx)
	if c.restored == nil {
		c.restored = make(chan struct{})
	}
}

// restore ends the pauses of those that wait for the connection.
func (c *connection) restore() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.restored != nil {
		close(c.restored)
		c.restored = nil
	}
}

// pause waits before another attempt, longer if it would only fail because the connection
// is broken. It returns false if the connection is closed before.
func (c *connection) pause() bool {
	c.mu.Lock()
	restored := c.restored
	c.mu.Unlock()
	if restored == nil {
		return sleep(c.ctx, retryWait)
	}
	late := time.NewTimer(brokenWait)
	defer late.Stop()
	select {
	case <-restored:
	case <-late.C:
	case <-c.ctx.Done():
		return false
	}
	return true
}

// call returns a context for one call to the server.
func (c *connection) call() (context.Context, context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return context.WithTimeout(c.live, callTimeout)
}

// reachable returns an error if there is no connection, so that callers need not wait
// for a timeout.
func (c *connection) reachable() error {
	if !c.nc.IsConnected() {
		return fmt.Errorf("%s: %w", Redacted(c.url), errAway)
	}
	return nil
}

// isAway reports whether a call to the server would fail or time out.
func (c *connection) isAway() bool { return c.away.Load() || !c.nc.IsConnected() }

// noteAway records that the server did not answer in time. It counts as away until it
// answers.
func (c *connection) noteAway() { c.away.Store(true) }

// cameBackWithin reports whether the connection came back so recently that other
// servers may not have reconnected.
func (c *connection) cameBackWithin(d time.Duration) bool {
	at := c.back.Load()
	return at != nil && time.Since(*at) < d
}

// try calls do once. If do succeeds, try records that the server answers.
func (c *connection) try(do func(ctx context.Context) error) error {
	ctx, cancel := c.call()
	defer cancel()
	err := do(ctx)
	switch {
	case err == nil:
		c.away.Store(false)
	case isLasting(err):
		return fmt.Errorf("save session: %w", err)
	}
	return err
}

// retry calls do until it succeeds or fails for good, or until stopped returns an
// error.
func (c *connection) retry(stopped func() error, do func(ctx context.Context) error) error {
	for {
		err := c.try(do)
		if err == nil || isLasting(err) {
			return err
		}
		c.noteAway()
		if err := stopped(); err != nil {
			return err
		}
		if !c.pause() {
			return os.ErrClosed
		}
	}
}

// sleep waits for d. It returns false if ctx is done before.
func sleep(ctx context.Context, d time.Duration) bool {
	pause := time.NewTimer(d)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// isLasting reports whether retrying is pointless.
func isLasting(err error) bool {
	_, owned := errors.AsType[*journal.OwnedError](err)
	return owned || errors.Is(err, journal.ErrFenced) || errors.Is(err, journal.ErrExists) || errors.Is(err, os.ErrClosed) || isFinal(err)
}

// isFinal reports whether the server will never accept a message, because it has no
// space or does not permit it.
func isFinal(err error) bool {
	if errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) {
		return true
	}
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	return ok && e.APIError() != nil && e.APIError().Code < 500
}

// isConflict reports whether the server refused a change because another one came
// first.
func isConflict(err error) bool {
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	if !ok || e.APIError() == nil {
		return false
	}
	code := e.APIError().ErrorCode
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}
