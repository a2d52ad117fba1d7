package client

import (
	"context"
	"sync"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// An unacked holds the messages that the server has not acknowledged, and that may have to
// be sent again.
type unacked struct {
	wake chan struct{} // signals the writer
	room chan struct{} // signals that the server acknowledged something

	mu      sync.Mutex
	out     remote.Window
	written int64 // messages that were written to the network, or are being written
}

func newUnacked() *unacked {
	return &unacked{wake: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// unacked returns the connection's unacknowledged messages, or nil if they can't be sent
// again.
func (c *Conn) unacked() *unacked {
	switch x := c.carrier.(type) {
	case *resumable:
		return x.unacked
	case *exchange:
		return x.queue
	}
	return nil
}

// Amend replaces each message that the server has not acknowledged by the result of
// change, unless the server has received it already. It does nothing if the connection
// can't be resumed.
func (c *Conn) Amend(change func(line []byte) []byte) {
	if u := c.unacked(); u != nil {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.out.Amend(change)
	}
}

// Unsent returns the messages that were never written to the network, so the server can't
// have received them. It returns nil if the connection can't be resumed.
func (c *Conn) Unsent() (lines [][]byte) {
	u := c.unacked()
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for n := u.written; ; n++ {
		line := u.out.After(n)
		if line == nil {
			return lines
		}
		lines = append(lines, line)
	}
}

// add queues a message. It waits while too much is queued.
func (u *unacked) add(ctx context.Context, line []byte) error {
	for {
		u.mu.Lock()
		if size := u.out.Size(); size == 0 || size+len(line) <= maxUnsent {
			u.out.Add(append([]byte(nil), line...))
			u.mu.Unlock()
			signal(u.wake)
			return nil
		}
		u.mu.Unlock()
		select {
		case <-u.room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
