package notify

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
)

const (
	// maxQueue bounds a target's pending notifications. Later ones are dropped.
	maxQueue = 32
	// maxAttempts bounds the attempts to deliver a notification. The delay after the
	// first one is firstDelay, and grows by the factor growth.
	maxAttempts = 5
	firstDelay  = time.Second
	growth      = 4
	// attemptTime limits an attempt.
	attemptTime = 10 * time.Second
)

// errRefused means that further attempts are useless.
var errRefused = errors.New("refused")

// A sender sends a notification, once.
type sender func(ctx context.Context, m Message) error

// A target receives notifications.
type target struct {
	name   string
	events []string
	after  time.Duration
	titled bool // may learn the titles of sessions
	send   sender
	any    func() bool // whether there are receivers; nil if always
	log    *slog.Logger
	queue  chan Message
}

func newTarget(name string, c config.NotifyTarget, log *slog.Logger) *target {
	return &target{name: name, events: c.Selected(), after: c.Delay(), titled: c.Titled(), log: log.With("target", name), queue: make(chan Message, maxQueue)}
}

func (t *target) wants(event string) bool {
	return slices.Contains(t.events, event) && (t.any == nil || t.any())
}

// enqueue adds a notification to the queue. It doesn't block.
func (t *target) enqueue(m Message) {
	if !t.titled {
		m.Title = ""
	}
	select {
	case t.queue <- m:
	default:
		t.log.Warn("dropped a notification because too many are pending", "session", m.Session)
	}
}

// run delivers the notifications in the queue until ctx is done.
func (t *target) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-t.queue:
			t.deliver(ctx, m, t.send)
		}
	}
}

// deliver sends a notification, with several attempts.
func (t *target) deliver(ctx context.Context, m Message, send sender) {
	delay := firstDelay
	for n := 1; ; n++ {
		err := attempt(ctx, m, send)
		switch {
		case err == nil, ctx.Err() != nil:
			return
		case n == maxAttempts, errors.Is(err, errRefused):
			t.log.Warn("a notification was not delivered", "session", m.Session, "attempts", n, "error", err)
			return
		}
		t.log.Debug("an attempt to deliver a notification failed", "session", m.Session, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(delay):
		}
		delay *= growth
	}
}

func attempt(ctx context.Context, m Message, send sender) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	return send(ctx, m)
}
