package process

import (
	"bytes"
	"io"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxPeek limits how much of a child's output is read to find its first event.
const maxPeek = 256 << 10

// A peek is a child's output, whose first event is examined before the output is
// read.
type peek struct {
	from io.Reader
	done chan struct{} // closed when the rest is read directly from from

	// Results of look. They are set before done is closed, and belong to the
	// reader after that.
	head []byte
	err  error

	info *Introduction // the introduction in the first event; nil if it is another event
}

func newPeek(from io.Reader) *peek { return &peek{from: from, done: make(chan struct{})} }

// read reads until the first event.
func (p *peek) read(d dialect.Dialect) {
	defer close(p.done)
	decoder := d.NewDecoder()
	piece := make([]byte, 4<<10)
	for line := 0; len(p.head) < maxPeek; {
		var n int
		n, p.err = p.from.Read(piece)
		p.head = append(p.head, piece[:n]...)
		for {
			length := bytes.IndexByte(p.head[line:], '\n')
			if length < 0 {
				break
			}
			if p.isEvent(decoder, p.head[line:line+length]) {
				return
			}
			line += length + 1
		}
		if p.err != nil {
			return
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
	<-p.done
	if len(p.head) > 0 {
		n := copy(into, p.head)
		if p.head = p.head[n:]; len(p.head) == 0 {
			p.head = nil
		}
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.from.Read(into)
}

// Readable implements [dialect.Waiter].
func (p *peek) Readable() bool {
	<-p.done
	if len(p.head) > 0 || p.err != nil {
		return true
	}
	w, ok := p.from.(dialect.Waiter)
	return ok && w.Readable()
}
