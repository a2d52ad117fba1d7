package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// tooLongError reports that a line is longer than [MaxLine].
type tooLongError struct{}

// Error implements error.
func (tooLongError) Error() string { return fmt.Sprintf("the line is longer than %d bytes", MaxLine) }

// batch is a sequence of complete lines.
type batch struct {
	pump  *pump
	buf   []byte // as read
	lines []byte // buf as valid UTF-8
	head  []byte // the beginning of an overlong line that precedes lines

	unread   *unread // nil once the batch is read
	onDemand bool    // the buffer is not one of the read-ahead buffers
}

// Events decodes the lines one by one.
func (b *batch) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		b.load()
		c := consumer{yield: yield}
		emit := c.emit // once, because it allocates
		if b.head != nil {
			b.pump.line++
			b.pump.hint(lint.New("too-long", "the line was skipped, because it is longer than 32 MiB"), emit)
			if e := refusal(b.pump.decoder, b.head, tooLongError{}); e != nil {
				emit(e)
			}
		}
		rest := b.lines
		for !c.stopped && len(rest) > 0 {
			var line []byte
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				line, rest = rest[:end], rest[end+1:]
			} else {
				line, rest = rest, nil
			}
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
			b.pump.line++
			if len(line) > 0 {
				b.pump.decode(line, emit)
			}
		}
	}
}

// Release frees the buffer for reuse. If the batch was not read yet, Release
// reads it and drops it.
func (b *batch) Release() {
	b.load()
	if b.onDemand {
		small.release(b.buf)
		wide.release(b.buf)
		return
	}
	b.pump.release(b.buf[:0])
}

// Read decodes r line by line until EOF, or until yield returns false. yield must
// not keep the events. Read is for files and pipes without a session: it logs
// hints instead of yielding them. It returns the error of reading r, or nil at
// EOF.
func Read(r io.Reader, d Decoder, log *slog.Logger, yield func(agent.Event) bool) error {
	p := newPump(d, log)
	c := consumer{yield: yield}
	var rest []byte
	buf := make([]byte, 0, largeBuffer)
	for {
		lines, after, err := p.fill(r, append(buf[:0], rest...))
		for e := range (&batch{pump: p, lines: rawjson.Valid(lines), head: p.takeHead()}).Events() {
			if _, hint := e.(*agent.Hint); hint {
				continue // it was logged
			}
			if !c.emit(e) {
				return nil
			}
		}
		rest = bytes.Clone(after)
		if errors.Is(err, io.EOF) {
			if e, ok := d.(Ender); ok {
				e.End(c.emit)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}
