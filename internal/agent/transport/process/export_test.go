package process

import (
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// A Backend is what a session runs on.
type Backend = backend

// Open opens a session like an agent, and shows its backend.
func Open(c Config, o agent.Options) (agent.Session, *Backend) {
	o.Log = slog.New(slog.DiscardHandler)
	b := newBackend(c, o)
	return turns.NewLineSession(b, o.Log), b
}

// Prompted reports whether the child was given the prompt of a turn. It may print before
// that.
func (b *backend) Prompted(turn string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.turnID == turn
}

// Rested reports whether the end of an abandoned turn was seen. What comes after
// that is heard then.
func (b *backend) Rested() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.run.stream.Reopen()
}

// Hang keeps the child from being gone before release is called.
func (b *backend) Hang() (release func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last, hung := b.run, *b.run
	hung.gone = make(chan struct{})
	b.run = &hung
	return func() {
		last.kill()
		<-last.gone
		close(hung.gone)
	}
}
