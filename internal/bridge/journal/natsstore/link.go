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

// retryWait is the pause before something is sent again.
const retryWait = 100 * time.Millisecond

var errAway = errors.New("the store cannot be reached")

// A link is the connection with NATS: whether the server answers, how long a call of
// it may take, and the work that ends with the connection. It is safe for concurrent
// use.
type link struct {
	url  string
	log  *slog.Logger
	nc   *nats.Conn
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup
	away atomic.Bool               // the server did not answer in time
	back atomic.Pointer[time.Time] // when the connection came back; nil if it never broke
}

func newLink(cfg Config, nc *nats.Conn) *link {
	l := &link{url: cfg.URL, log: cfg.Log, nc: nc}
	l.ctx, l.stop = context.WithCancel(context.Background())
	nc.SetReconnectHandler(func(*nats.Conn) {
		l.back.Store(new(time.Now()))
		l.log.Info("the store can be reached again")
	})
	return l
}

// close ends the work, then the connection.
func (l *link) close() {
	l.stop()
	l.work.Wait()
	l.nc.Close()
}

// call bounds a call of the server.
func (l *link) call() (context.Context, context.CancelFunc) {
	return context.WithTimeout(l.ctx, callTimeout)
}

// reachable returns an error at once if a call would only fail in time.
func (l *link) reachable() error {
	if !l.nc.IsConnected() {
		return fmt.Errorf("%s: %w", Redacted(l.url), errAway)
	}
	return nil
}

// isAway reports whether a call of the server would fail, or take long to do so.
func (l *link) isAway() bool { return l.away.Load() || !l.nc.IsConnected() }

// noteAway notes that the server did not answer in time. It is away until it answers.
func (l *link) noteAway() { l.away.Store(true) }

// cameBackWithin reports whether the connection came back so recently that others may
// not have theirs again.
func (l *link) cameBackWithin(d time.Duration) bool {
	at := l.back.Load()
	return at != nil && time.Since(*at) < d
}

// try does something that calls the server once, and notes that it answers.
func (l *link) try(do func(ctx context.Context) error) error {
	ctx, cancel := l.call()
	defer cancel()
	err := do(ctx)
	switch {
	case err == nil:
		l.away.Store(false)
	case isLasting(err):
		return fmt.Errorf("keep the session: %w", err)
	}
	return err
}

// retry tries something until it is done, it cannot be done, or stopped returns an
// error.
func (l *link) retry(stopped func() error, do func(ctx context.Context) error) error {
	for {
		err := l.try(do)
		if err == nil || isLasting(err) {
			return err
		}
		l.noteAway()
		if err := stopped(); err != nil {
			return err
		}
		if !sleep(l.ctx, retryWait) {
			return os.ErrClosed
		}
	}
}

// sleep returns false if ctx ends before the time has passed.
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

// isLasting reports whether trying again is of no use.
func isLasting(err error) bool {
	_, owned := errors.AsType[*journal.OwnedError](err)
	return owned || errors.Is(err, journal.ErrFenced) || errors.Is(err, journal.ErrExists) || errors.Is(err, os.ErrClosed) || isFinal(err)
}

// isFinal reports whether the server won't take a message later either: it has no
// room, or doesn't allow it.
func isFinal(err error) bool {
	if errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) {
		return true
	}
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	return ok && e.APIError() != nil && e.APIError().Code < 500
}

// isConflict reports whether the server refused something because somebody else
// was faster.
func isConflict(err error) bool {
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	if !ok || e.APIError() == nil {
		return false
	}
	code := e.APIError().ErrorCode
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}
