package dialect

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	// MaxLine is the maximum length of an agent's line, in bytes.
	MaxLine = lint.MaxLine

	headOfLong  = 64 << 10 // how much of a longer line is examined
	smallBuffer = 4 << 10  // an agent that prints little needs little memory
	largeBuffer = 64 << 10 // a fast stream has two; larger ones are no faster
	keepBuffer  = 4 << 20  // larger buffers, grown for a long line, are freed
	maxLarge    = 16       // how many streams in this process may have large buffers at once
	calmReads   = 16       // number of consecutive small reads after which a stream gets small buffers again
)

// large counts the streams in this process that have large buffers.
var large atomic.Int32

// Pump sends the batches of [Each] on out.
func Pump(ctx context.Context, r io.Reader, d Decoder, log *slog.Logger, out chan<- agent.Batch) error {
	return Each(ctx, r, d, log, func(b agent.Batch) bool {
		select {
		case out <- b:
			return true
		case <-ctx.Done():
			return false
		}
	})
}

// Each reads lines from r until EOF and passes them to take in batches, which
// decode with d. It returns nil at EOF, the read error, or ctx.Err() if take
// returns false or ctx ends. To interrupt a blocked read, close r.
//
// If r is a [Waiter], the receiver reads each batch itself when it ranges over it,
// so unprocessed data takes no memory. For fast streams and other readers, Each
// reads ahead with at most two buffers: one to read into, and one that the
// receiver has not released. The next lines are thus read while the last ones are
// processed. Either way, a receiver that stops blocks the agent.
func Each(ctx context.Context, r io.Reader, d Decoder, log *slog.Logger, take func(agent.Batch) bool) error {
	p := newPump(d, log)
	defer p.giveBack()
	for {
		p.pace()
		round := p.readAhead
		if w, ok := r.(Waiter); ok && p.canWait() && w.Readable() {
			round = p.readOnDemand
		}
		if going, err := round(ctx, r, take); !going || err != nil {
			return err
		}
	}
}

// readAhead reads a batch and passes it to take. going is false at EOF.
func (p *pump) readAhead(ctx context.Context, r io.Reader, take func(agent.Batch) bool) (going bool, err error) {
	var buf []byte
	select {
	case buf = <-p.free:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	buf = append(p.sized(buf), p.rest...)
	lines, after, err := p.fill(r, buf)
	p.keepRest(after)
	if head := p.takeHead(); len(lines) == 0 && head == nil {
		p.release(buf)
	} else if !take(&batch{pump: p, buf: lines, lines: rawjson.Valid(lines), head: head}) {
		return false, ctx.Err()
	}
	return err == nil, unlessEnd(err)
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// keepRest copies an incomplete line, because another stream may use the buffer
// once it is released.
func (p *pump) keepRest(rest []byte) {
	if cap(p.rest) > smallBuffer || len(rest) == 0 {
		p.rest = nil
	}
	p.rest = append(p.rest[:0], rest...)
}

type pump struct {
	decoder Decoder
	log     *slog.Logger
	free    chan []byte // the read-ahead buffers
	rest    []byte      // an incomplete line
	readErr error       // from reading on demand
	head    []byte      // the beginning of an overlong line that was skipped
	skip    bool        // the rest of an overlong line is being skipped
	full    bool        // the last read filled its buffer
	calm    int         // number of recent reads that would have fitted a small buffer
	large   atomic.Bool // the stream may have large buffers; set by the reader's goroutine
	line    int         // number of the current line; belongs to the receiver, like the decoder
	hints   hints       // belongs to the receiver too
}

func newPump(d Decoder, log *slog.Logger) *pump {
	p := &pump{decoder: d, log: log, free: make(chan []byte, 2)}
	p.hints.watch(d)
	p.free <- nil // each buffer is allocated on first use
	p.free <- nil
	return p
}

// pace gives a fast stream large buffers, if the limit allows it, until it slows
// down.
func (p *pump) pace() {
	switch {
	case p.full && !p.large.Load():
		if large.Add(1) > maxLarge {
			large.Add(-1)
			return
		}
		p.large.Store(true)
	case p.calm > calmReads:
		p.giveBack()
	}
}

// giveBack releases the stream's large buffers.
func (p *pump) giveBack() {
	if !p.large.Swap(false) {
		return
	}
	large.Add(-1)
	for range cap(p.free) {
		select {
		case buf := <-p.free:
			p.release(buf)
		default: // the receiver has it
		}
	}
}

// sized returns an empty buffer: buf, or one whose size fits the stream better.
func (p *pump) sized(buf []byte) []byte {
	want := &small
	if p.large.Load() {
		want = &wide
	}
	if cap(buf) < want.size || cap(buf) > want.size && p.calm > calmReads {
		return want.get()
	}
	return buf[:0]
}

// fill reads until buf holds at least one complete line. It returns the complete
// lines and the bytes after them. At EOF, the rest counts as a line.
func (p *pump) fill(r io.Reader, buf []byte) (lines, rest []byte, err error) {
	for {
		if len(buf) > MaxLine {
			p.skip, p.head, buf = true, bytes.Clone(buf[:headOfLong]), buf[:0]
		} else if len(buf) == cap(buf) {
			// The largest buffer fits the longest line and its newline.
			grown := make([]byte, len(buf), min(max(2*cap(buf), smallBuffer), MaxLine+1))
			copy(grown, buf)
			buf = grown
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		from := len(buf)
		buf = buf[:from+n]
		p.note(n, len(buf) == cap(buf))
		if p.skip {
			if buf = p.skipTo(buf); p.skip {
				if err != nil {
					return nil, nil, err
				}
				continue
			}
			if err == nil { // deliver now: the agent may be waiting for the answer to that line
				end := lastLine(buf)
				return buf[:end], buf[end:], nil
			}
		}
		if err != nil {
			return buf, nil, err
		}
		if end := from + lastLine(buf[from:]); end > from {
			return buf[:end], buf[end:], nil
		}
	}
}

// note records how much a read returned.
func (p *pump) note(n int, full bool) {
	p.full = full
	if p.calm++; full || n >= smallBuffer {
		p.calm = 0
	}
}

// takeHead returns and clears the beginning of an overlong line, which precedes
// all lines that were read with it.
func (p *pump) takeHead() []byte {
	head := p.head
	p.head = nil
	return rawjson.Valid(head)
}

// lastLine returns the index after the last newline in b, or 0. It searches in
// steps, because a backward search byte by byte is slow for long lines.
func lastLine(b []byte) int {
	const step = 512
	for end := len(b); end > 0; end -= step {
		last := b[max(0, end-step):end]
		if bytes.IndexByte(last, '\n') >= 0 {
			return end - len(last) + bytes.LastIndexByte(last, '\n') + 1
		}
	}
	return 0
}

// skipTo drops the rest of an overlong line.
func (p *pump) skipTo(buf []byte) []byte {
	_, after, found := bytes.Cut(buf, []byte{'\n'})
	if !found {
		return buf[:0]
	}
	p.skip = false
	return buf[:copy(buf, after)]
}

// release takes back a read-ahead buffer.
func (p *pump) release(buf []byte) {
	switch {
	case cap(buf) == smallBuffer:
		small.release(buf)
		buf = nil
	case cap(buf) == largeBuffer && !p.large.Load():
		wide.release(buf)
		buf = nil
	case cap(buf) > keepBuffer || !p.large.Load():
		buf = nil
	}
	p.free <- buf
}
