package dialect

import (
	"context"
	"io"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Waiter is a reader that can be waited for without a buffer: of a thousand
// streams, most have nothing to read, or are not read yet.
type Waiter interface {
	io.Reader
	// Readable waits until a Read returns at once. It returns false where that
	// cannot be told.
	Readable() bool
}

// unread is a batch that its receiver reads, unless that comes too late.
type unread struct {
	from  io.Reader
	begun atomic.Bool   // it is being read, or will not be
	over  chan struct{} // closed when it is read, or dropped
}

// canWait reports whether the next batch may be read on demand. A line that is
// much longer than a buffer is read ahead: it takes several reads.
func (p *pump) canWait() bool {
	return !p.large.Load() && !p.skip && len(p.rest) <= largeBuffer/2
}

// readOnDemand has a batch taken that its receiver reads: r has something to be
// read. going is false at the end of r.
func (p *pump) readOnDemand(ctx context.Context, r io.Reader, take func(agent.Batch) bool) (going bool, err error) {
	u := &unread{from: r, over: make(chan struct{})}
	if !take(&batch{pump: p, onDemand: true, unread: u}) {
		return false, ctx.Err()
	}
	select {
	case <-u.over:
	case <-ctx.Done():
		if !u.begun.Swap(true) {
			return false, ctx.Err()
		}
		<-u.over // that is not waited for: there is something to be read
	}
	return p.readErr == nil, unlessEnd(p.readErr)
}

// load reads the batch, if that is not done. The pump belongs to it until then.
func (b *batch) load() {
	if b.unread == nil {
		return
	}
	u := b.unread
	b.unread = nil
	if u.begun.Swap(true) {
		return
	}
	defer close(u.over)
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
	end := len(buf) // at the end of r the rest is a line too
	if err == nil {
		if end = lastLine(buf[from:]); end > 0 {
			end += from
		}
	}
	p.keepRest(buf[end:])
	if end > smallBuffer {
		return buf[:end]
	}
	// The receiver may take long, and needs no large buffer for this.
	lines := append(small.get(), buf[:end]...)
	wide.put(buf)
	return lines
}
