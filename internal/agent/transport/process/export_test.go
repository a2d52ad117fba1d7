package process

import (
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// A Backend is what a session runs on.
type Backend = backend

// Open opens a session like an agent, and returns its backend.
func Open(c Config, o agent.Options) (agent.Session, *Backend) {
	o.Log = slog.New(slog.DiscardHandler)
	b := newBackend(c, o)
	return lifecycle.NewLineSession(b, o.Log), b
}

// Prompted reports whether the child has received the prompt of a turn. It may print
// earlier.
func (b *backend) Prompted(turn string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.turnID == turn
}

// Rested reports whether the end of an abandoned turn was seen. Later events are
// delivered.
func (b *backend) Rested() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.run.stream.Reopen()
}

// Hang prevents the child from being gone until release is called.
func (b *backend) Hang() (release func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last, hung := b.run, *b.run
	hung.exited = make(chan struct{})
	b.run = &hung
	return func() {
		last.kill()
		<-last.exited
		close(hung.exited)
	}
}
