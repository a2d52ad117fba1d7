package check

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Language describes how events are written.
type Language struct {
	Dialect dialect.Dialect
	// Others are other dialects to detect from the input. If nil, the dialect is Dialect.
	Others []dialect.Dialect
	// Native reports whether the named dialect is Turnwire's own.
	Native func(name string) bool
}

// peeked is how much of a stream is read to detect its dialect, in bytes.
const peeked = 64 << 10

// known returns the dialect of a stream that begins with head.
func (l Language) known(head []byte) dialect.Dialect {
	for line := range bytes.Lines(head) {
		inner, _ := lint.Unwrap(rawjson.Valid(bytes.TrimSpace(line)))
		for _, d := range l.Others {
			if d.Recognise(inner) {
				return d
			}
		}
	}
	return l.Dialect
}

// names returns the names of a dialect's events.
func (l Language) names(d dialect.Dialect) []string {
	if l.Native(d.Name) {
		return lint.Names()
	}
	return d.Types()
}

// linter returns a linter for one stream in the dialect d.
func (l Language) linter(d dialect.Dialect, tell func(lint.Finding)) *lint.Linter {
	native := l.Native(d.Name)
	linter := lint.NewLinter(d.NewDecoder(), func() bool { return native }, func() []string { return l.names(d) }, tell)
	linter.SSE = !native
	return linter
}

// Stream reads r until EOF, and returns the number of lines. The error is a read error.
func Stream(r io.Reader, l Language, tell func(lint.Finding)) (read int, err error) {
	in := bufio.NewReaderSize(r, peeked)
	head, err := in.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	linter := l.linter(l.known(head), tell)
	lines := newLines(in)
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			linter.End()
			return linter.Lines(), nil
		}
		if err != nil {
			return linter.Lines(), err
		}
		linter.Line(line)
	}
}
