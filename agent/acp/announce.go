package acp

import (
	"context"
	"errors"

	"github.com/turnwire/turnwire/agent"
)

// Announce implements [turns.Configurable]. It starts the agent, so that what
// can be chosen and which commands there are is known before the first prompt.
// Where that fails, the first prompt tries again and says why.
func (b *backend) Announce(ctx context.Context, say func(agent.Event) bool) {
	if !b.takeFloor(ctx) {
		return
	}
	if b.current() == nil { // a prompt may have come first
		if _, _, err := b.start(); err != nil {
			b.options.Log.Info("the agent could not be started yet", "error", err)
		}
	}
	<-b.floor
	for {
		select {
		case <-b.news:
		case <-ctx.Done():
			return
		}
		if !b.announce(ctx, say) {
			return
		}
	}
}

// announce says what has come between two turns. The next turn waits for that:
// what is said in it is newer.
func (b *backend) announce(ctx context.Context, say func(agent.Event) bool) bool {
	if !b.takeFloor(ctx) {
		return false
	}
	defer func() { <-b.floor }()
	l := b.current()
	if l == nil {
		return true
	}
	for _, e := range l.pendingEvents() {
		if !say(e) {
			return false
		}
	}
	return true
}

func (b *backend) takeFloor(ctx context.Context) bool {
	select {
	case b.floor <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// tell says that there is something to announce. It never waits.
func (b *backend) tell() {
	select {
	case b.news <- struct{}{}:
	default:
	}
}

// Configure implements [turns.Configurable].
func (b *backend) Configure(ctx context.Context, o agent.SetOption) error {
	l := b.current()
	if l == nil {
		return errors.New(b.config.Name + " does not run; it is started by the next prompt")
	}
	select {
	case <-l.ready:
	case <-ctx.Done():
		return errors.New(b.config.Name + " is still starting")
	}
	if l.failed != nil {
		return l.failed
	}
	return l.choose(ctx, o)
}
