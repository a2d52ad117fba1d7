package dialect

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Waiter is a reader that can wait for data without a buffer. Of a thousand
// streams, most have nothing to read or are not being read.
type Waiter interface {
	io.Reader
	// Readable waits until a Read would return at once. It returns false if it
	// can't tell.
	Readable() bool
}

// unread is a batch that its receiver reads, unless the stream is closed first.
type unread struct {
	from  io.Reader
	begun atomic.Bool   // it is being read, or never will be
	done  chan struct{} // closed when the batch was read or dropped
}

// canWait reports whether the next batch may be read on demand. Lines much
// longer than a buffer are read ahead, because they take several reads.
func (p *pump) canWait() bool {
	return !p.large.Load() && !p.skip && len(p.rest) <= largeBuffer/2
}

// readOnDemand gives take a batch that the receiver reads itself; r must be
// readable. going is false at EOF.
func (p *pump) readOnDemand(ctx context.Context, r io.Reader, take func(agent.Batch) bool) (going bool, err error) {
	u := &unread{from: r, done: make(chan struct{})}
	if !take(&batch{pump: p, onDemand: true, unread: u}) {
		return false, ctx.Err()
	}
	select {
	case <-u.done:
	case <-ctx.Done():
		if !u.begun.Swap(true) {
			return false, ctx.Err()
		}
		<-u.done // this doesn't block long: r is readable
	}
	return p.readErr == nil, unlessEnd(p.readErr)
}

// load reads the batch, if it wasn't read yet. Until then, it owns the pump.
func (b *batch) load() {
	if b.unread == nil {
		return
	}
	u := b.unread
	b.unread = nil
	if u.begun.Swap(true) {
		return
	}
	defer close(u.done)
	b.buf = b.pump.read(u.from)
	b.lines = rawjson.Valid(b.buf)
}

// read reads once and returns the complete lines.
func (p *pump) read(r io.Reader) []byte {
	buf := append(wide.get(), p.rest...)
	from := len(buf)
	n, err := r.Read(buf[from:cap(buf)])
	buf = buf[:from+n]
	p.note(n, len(buf) == cap(buf))
	p.readErr = err
	end := len(buf) // at EOF the rest is a line too
	if err == nil {
		if end = lastLine(buf[from:]); end > 0 {
			end += from
		}
	}
	p.keepRest(buf[end:])
	if end > smallBuffer {
		return buf[:end]
	}
	// The receiver may be slow, and small batches need no large buffer.
	lines := append(small.get(), buf[:end]...)
	wide.release(buf)
	return lines
}
