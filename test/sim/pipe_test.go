package sim

import (
	"io"
	"os"
	"sync"
	"time"
)

// A pipe is one direction of a connection. Its buffer is bounded like that of a socket,
// so a reader that stops reading blocks the writer.
type pipe struct {
	limit   int           // 0 means no limit
	latency time.Duration // of each read

	mu      sync.Mutex
	changed sync.Cond
	data    []byte
	delay   time.Duration
	stalled bool
	choked  bool // the reader reads nothing, and the buffer is full
	expired bool // the deadline for writing has passed
	ended   bool // the writer closed it
	broken  bool // the reader closed it, or the connection was cut
}

func newPipe(limit int) *pipe {
	p := &pipe{limit: limit}
	p.changed.L = &p.mu
	return p
}

// newSlowPipe returns a pipe with a latency.
func newSlowPipe(limit int, latency time.Duration) *pipe {
	p := newPipe(limit)
	p.latency = latency
	return p
}

// Read implements [io.Reader].
func (p *pipe) Read(into []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for waited := false; ; {
		switch {
		case p.broken:
			return 0, io.EOF
		case p.stalled || p.choked || len(p.data) == 0 && !p.ended:
			p.changed.Wait()
		case p.delay+p.latency > 0 && !waited:
			waited = true
			delay := p.delay + p.latency
			p.mu.Unlock()
			time.Sleep(delay)
			p.mu.Lock()
		case len(p.data) == 0:
			return 0, io.EOF
		default:
			n := copy(into, p.data)
			p.data = p.data[n:]
			p.changed.Broadcast()
			return n, nil
		}
	}
}

// Write implements [io.Writer].
func (p *pipe) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for written := 0; ; {
		switch {
		case p.broken || p.ended:
			return written, io.ErrClosedPipe
		case p.expired:
			return written, os.ErrDeadlineExceeded
		case p.choked || p.limit > 0 && len(p.data) >= p.limit:
			p.changed.Wait()
		default:
			n := len(text) - written
			if p.limit > 0 {
				n = min(n, p.limit-len(p.data))
			}
			p.data = append(p.data, text[written:written+n]...)
			written += n
			p.changed.Broadcast()
			if written == len(text) {
				return written, nil
			}
		}
	}
}

// Close ends the pipe after the pending data.
func (p *pipe) Close() error {
	p.set(func() { p.ended = true })
	return nil
}

// cut ends the pipe at once and drops its data.
func (p *pipe) cut() { p.set(func() { p.broken = true }) }

func (p *pipe) setStalled(on bool) { p.set(func() { p.stalled = on }) }

func (p *pipe) setDelay(d time.Duration) { p.set(func() { p.delay = d }) }

func (p *pipe) setChoked(on bool) { p.set(func() { p.choked = on }) }

// isEmpty reports whether everything that was written was read.
func (p *pipe) isEmpty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.data) == 0
}

func (p *pipe) isChoked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.choked
}

// SetWriteDeadline makes writes fail after a time. Callers only use a time in the past, or
// none.
func (p *pipe) SetWriteDeadline(at time.Time) error {
	p.set(func() { p.expired = !at.IsZero() })
	return nil
}

func (p *pipe) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.changed.Broadcast()
}
