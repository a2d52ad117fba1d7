package process

import (
	"bytes"
	"io"
	"log/slog"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxPeek limits how much of a child's output is read to find its first event.
const maxPeek = 256 << 10

// A peek is a child's output, whose first event is examined while the output is read.
type peek struct {
	from io.Reader
	done chan struct{} // closed when the rest is read directly from from
	more chan struct{} // receives when head has grown

	mu   sync.Mutex
	head []byte // examined, but not read yet

	// These are set before done is closed.
	err  error
	info *Introduction // the introduction in the first event; nil if it is another event
}

func newPeek(from io.Reader) *peek {
	return &peek{from: from, done: make(chan struct{}), more: make(chan struct{}, 1)}
}

// read examines the output until the first event.
func (p *peek) read(d dialect.Dialect) {
	defer close(p.done)
	decoder := d.NewDecoder()
	piece := make([]byte, 4<<10)
	var line []byte
	for total := 0; total < maxPeek && p.err == nil; {
		var n int
		n, p.err = p.from.Read(piece)
		total += n
		p.add(piece[:n])
		line = append(line, piece[:n]...)
		for {
			length := bytes.IndexByte(line, '\n')
			if length < 0 {
				break
			}
			if p.isEvent(decoder, line[:length]) {
				return
			}
			line = line[length+1:]
		}
	}
}

// add makes a piece of the output readable.
func (p *peek) add(piece []byte) {
	p.mu.Lock()
	p.head = append(p.head, piece...)
	p.mu.Unlock()
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// await waits until examined output can be read. It returns false once the rest is read
// directly.
func (p *peek) await() bool {
	for {
		rest := isClosed(p.done)
		p.mu.Lock()
		n := len(p.head)
		p.mu.Unlock()
		if n > 0 || rest {
			return n > 0
		}
		select {
		case <-p.more:
		case <-p.done:
		}
	}
}

// isEvent reports whether a line is an event, and records an introduction.
func (p *peek) isEvent(d dialect.Decoder, line []byte) (found bool) {
	// The line is decoded again by its reader, who logs mistakes.
	dialect.Decode(d, slog.New(slog.DiscardHandler), rawjson.Valid(bytes.Clone(line)), func(e agent.Event) bool {
		found = true
		if info, ok := e.(*agent.Introduction); ok {
			p.info = introduction(info)
		}
		return false
	})
	return found
}

// Read implements [io.Reader].
func (p *peek) Read(into []byte) (int, error) {
	if p.await() {
		p.mu.Lock()
		defer p.mu.Unlock()
		n := copy(into, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.from.Read(into)
}

// Readable implements [dialect.Waiter].
func (p *peek) Readable() bool {
	if p.await() || p.err != nil {
		return true
	}
	w, ok := p.from.(dialect.Waiter)
	return ok && w.Readable()
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
