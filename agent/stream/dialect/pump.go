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
	// MaxLine is the longest line that is read from an agent, in bytes.
	MaxLine = lint.MaxLine

	headOfLong  = 64 << 10 // what is looked at of a longer line
	smallBuffer = 4 << 10  // an agent that prints little keeps little memory
	largeBuffer = 64 << 10 // a stream keeps two while it is fast; larger ones are no faster
	keepBuffer  = 4 << 20  // a larger buffer, grown for a long line, is let go
	maxLarge    = 16       // how many streams of the program may keep large buffers at once
	calmReads   = 16       // after so many reads that would have fitted a small buffer, small ones do
)

// large counts the streams that have large buffers. It is the program's, as its
// memory is.
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

// Each reads lines from r until its end and gives them to take in batches,
// which decode with d. It returns nil at the end of r, or the error of reading;
// where take returns false or ctx ends, that of ctx. (Reading itself is ended
// by closing r.)
//
// Where r is a [Waiter], the receiver reads a batch itself, when it ranges over
// it: what is not processed yet takes no memory. A stream that is fast reads
// ahead, as does one of any other r: at most two buffers are in use then, one that
// is read into and one that the receiver has not released, so that the next lines
// are read while the last are worked on. Either way a receiver that stops stops
// the agent.
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

// readAhead reads a batch, and has it taken. going is false at the end of r.
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

// keepRest keeps the beginning of a line: the buffer may be another stream's once
// it is released.
func (p *pump) keepRest(rest []byte) {
	if cap(p.rest) > smallBuffer || len(rest) == 0 {
		p.rest = nil
	}
	p.rest = append(p.rest[:0], rest...)
}

type pump struct {
	decoder Decoder
	log     *slog.Logger
	free    chan []byte // the buffers of those who read ahead
	rest    []byte      // a line that has begun
	readErr error       // of reading on demand
	head    []byte      // the beginning of an overlong line that was skipped
	skip    bool        // the rest of an overlong line is being skipped
	full    bool        // the last read filled its buffer
	calm    int         // how many reads would have fitted a small buffer
	large   atomic.Bool // it may have large buffers; it is set by who reads ahead
	line    int         // the number of the line that is decoded; the receiver's, as the decoder is
	hints   hints       // the receiver's too
}

func newPump(d Decoder, log *slog.Logger) *pump {
	p := &pump{decoder: d, log: log, free: make(chan []byte, 2)}
	p.hints.watch(d)
	p.free <- nil // each is made when it is needed
	p.free <- nil
	return p
}

// pace lets a stream that is fast have large buffers, if there is room for them,
// until it is calm.
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

// giveBack gives up the large buffers.
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

// sized is buf, or one of another size where that fits the stream better. It is
// empty.
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

// fill reads until buf holds at least one whole line, and returns the whole
// lines and what is behind them. At the end of r the rest is a line too.
func (p *pump) fill(r io.Reader, buf []byte) (lines, rest []byte, err error) {
	for {
		if len(buf) > MaxLine {
			p.skip, p.head, buf = true, bytes.Clone(buf[:headOfLong]), buf[:0]
		} else if len(buf) == cap(buf) {
			// The largest buffer holds the longest line and its newline.
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
			if err == nil { // who waits for the answer to that line may say no more
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

// note notes how much a read has brought.
func (p *pump) note(n int, full bool) {
	p.full = full
	if p.calm++; full || n >= smallBuffer {
		p.calm = 0
	}
}

// takeHead takes the beginning of an overlong line, which was before all lines
// that were read with it.
func (p *pump) takeHead() []byte {
	head := p.head
	p.head = nil
	return rawjson.Valid(head)
}

// lastLine is the index behind the last newline of b, 0 where there is none. To
// look backwards byte by byte is slow, which is felt where lines are long.
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

// skipTo drops what belongs to an overlong line.
func (p *pump) skipTo(buf []byte) []byte {
	_, after, found := bytes.Cut(buf, []byte{'\n'})
	if !found {
		return buf[:0]
	}
	p.skip = false
	return buf[:copy(buf, after)]
}

// release takes back a buffer of those who read ahead.
func (p *pump) release(buf []byte) {
	switch {
	case cap(buf) == smallBuffer:
		small.put(buf)
		buf = nil
	case cap(buf) == largeBuffer && !p.large.Load():
		wide.put(buf)
		buf = nil
	case cap(buf) > keepBuffer || !p.large.Load():
		buf = nil
	}
	p.free <- buf
}
