package acp

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// maxOutbox bounds what waits to be written: more piles up only where an agent
// asks without end and never reads the answers.
const maxOutbox = 64 << 20

// outbox holds the lines that wait to be written to the child.
type outbox struct {
	mu      sync.Mutex
	filled  *sync.Cond
	parcels []parcel
	size    int
	closed  bool
}

// A parcel is lines that are written together, or one that permits something:
// until that is written, a cancel of its turn makes a refusal of it.
type parcel struct {
	lines     []byte
	refusal   []byte          // nil where nothing is permitted
	cancelled <-chan struct{} // of the turn
}

func newOutbox() *outbox {
	o := new(outbox)
	o.filled = sync.NewCond(&o.mu)
	return o
}

// put adds a line. It never waits.
func (o *outbox) put(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.fits(line) {
		return
	}
	if n := len(o.parcels); n > 0 && o.parcels[n-1].refusal == nil {
		last := &o.parcels[n-1]
		last.lines = append(append(last.lines, line...), '\n')
	} else {
		o.parcels = append(o.parcels, parcel{lines: append(line, '\n')})
	}
	o.filled.Signal()
}

// permit adds a line that permits something, and what is written in its place
// once the turn is cancelled.
func (o *outbox) permit(line, refusal []byte, cancelled <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.fits(line) {
		return
	}
	o.parcels = append(o.parcels, parcel{append(line, '\n'), append(refusal, '\n'), cancelled})
	o.filled.Signal()
}

// fits counts a line; false where it is not taken.
func (o *outbox) fits(line []byte) bool {
	if o.closed {
		return false
	}
	if o.size += len(line) + 1; o.size > maxOutbox {
		o.closed = true
		o.filled.Signal()
	}
	return true
}

func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.parcels = true, nil
	o.filled.Signal()
}

// take waits for a parcel; false where the outbox is closed.
func (o *outbox) take() (c parcel, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.parcels) == 0 && !o.closed {
		o.filled.Wait()
	}
	if o.closed {
		return parcel{}, false
	}
	c, o.parcels = o.parcels[0], o.parcels[1:]
	o.size -= len(c.lines)
	return c, true
}

// writeTo writes the lines as they come, until the outbox is closed or w fails.
func (o *outbox) writeTo(w io.Writer) error {
	for {
		c, ok := o.take()
		if !ok {
			return io.ErrClosedPipe
		}
		if err := c.writeTo(w); err != nil {
			return err
		}
	}
}

func (c parcel) writeTo(w io.Writer) error {
	lines := c.lines
	if c.refusal != nil {
		var err error
		if lines, err = c.unlessCancelled(w); err != nil {
			return err
		}
	}
	_, err := w.Write(lines)
	return err
}

// unlessCancelled writes the lines, unless the turn is cancelled before a
// beginning of them is written, and returns what is still to be written then.
// A child that does not read must not find a consent there when it reads again.
func (c parcel) unlessCancelled(w io.Writer) (rest []byte, err error) {
	select {
	case <-c.cancelled:
		return c.refusal, nil
	default:
	}
	pipe, ok := w.(interface{ SetWriteDeadline(at time.Time) error })
	if ok {
		ok = pipe.SetWriteDeadline(time.Time{}) == nil
	}
	if !ok { // it cannot be interrupted
		return c.lines, nil
	}
	written := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-c.cancelled:
			_ = pipe.SetWriteDeadline(time.Unix(1, 0)) // it could above
		case <-written:
		}
	})
	n, err := w.Write(c.lines)
	close(written)
	watch.Wait()
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, errors.Join(err, pipe.SetWriteDeadline(time.Time{}))
	}
	if n == 0 {
		return c.refusal, pipe.SetWriteDeadline(time.Time{})
	}
	return c.lines[n:], pipe.SetWriteDeadline(time.Time{})
}
