package ethos

import (
	"io"
	"sync"
)

// outbox holds the requests that the child has not read yet: whoever sends one
// does not wait for it. There are never many, for a prompt waits for the one
// before.
type outbox struct {
	mu     sync.Mutex
	lines  [][]byte
	closed bool
	wake   chan struct{}
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

func (o *outbox) put(line []byte) {
	o.mu.Lock()
	o.lines = append(o.lines, line)
	o.mu.Unlock()
	o.poke()
}

func (o *outbox) close() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.poke()
}

func (o *outbox) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// writeTo writes what is put until the outbox is closed or writing fails.
func (o *outbox) writeTo(w io.Writer) error {
	for range o.wake {
		o.mu.Lock()
		lines, closed := o.lines, o.closed
		o.lines = nil
		o.mu.Unlock()
		if closed {
			return nil
		}
		for _, line := range lines {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}
