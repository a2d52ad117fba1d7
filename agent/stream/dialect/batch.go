package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// tooLongError says that a line is longer than [MaxLine].
type tooLongError struct{}

// Error implements error.
func (tooLongError) Error() string { return fmt.Sprintf("the line is longer than %d bytes", MaxLine) }

// batch is a run of whole lines.
type batch struct {
	pump  *pump
	buf   []byte // what was read
	lines []byte // the same as valid UTF-8
	head  []byte // the beginning of an overlong line before them
}

// Events decodes line after line.
func (b *batch) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		going := true
		each := func(e agent.Event) bool {
			going = yield(e)
			return going
		}
		if b.head != nil {
			b.pump.line++
			b.pump.hint(lint.New("too-long", "the line is too long: it has more than 32 MiB, and was skipped"), each)
			if e := refusal(b.pump.decoder, b.head, tooLongError{}); e != nil {
				each(e)
			}
		}
		rest := b.lines
		for going && len(rest) > 0 {
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
				b.pump.decode(line, each)
			}
		}
	}
}

// Release lets the lines' buffer be used again.
func (b *batch) Release() { b.pump.release(b.buf[:0]) }

// Read decodes all of r, line by line; yield must not keep the events. It is
// for files and pipes that have no session, and so nobody to give hints to: what
// is wrong is logged.
func Read(r io.Reader, d Decoder, log *slog.Logger, yield func(agent.Event) bool) error {
	p := pump{decoder: d, log: log, free: make(chan []byte, 2)}
	p.hints.watch(d)
	going := true
	var rest []byte
	buf := make([]byte, 0, largeBuffer)
	for going {
		lines, after, err := p.fill(r, append(buf[:0], rest...))
		for e := range (&batch{pump: &p, lines: rawjson.Valid(lines), head: p.takeHead()}).Events() {
			if _, hint := e.(*agent.Hint); hint {
				continue // it is in the log
			}
			if going = yield(e); !going {
				return nil
			}
		}
		rest = bytes.Clone(after)
		if errors.Is(err, io.EOF) {
			if e, ok := d.(Ender); ok {
				e.End(yield)
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
