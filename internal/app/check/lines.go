package check

import (
	"bufio"
	"errors"
	"io"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// lines reads lines without their newlines. It truncates lines that are longer than the
// linter reads.
type lines struct {
	in *bufio.Reader
}

func newLines(r io.Reader) *lines { return &lines{bufio.NewReaderSize(r, 64<<10)} }

// next returns the next line, or io.EOF after the last one.
func (l *lines) next() ([]byte, error) {
	var line []byte
	for {
		piece, err := l.in.ReadSlice('\n')
		if room := lint.MaxLine + 1 - len(line); len(piece) > room {
			line = append(line, piece[:max(room, 0)]...)
		} else {
			line = append(line, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0:
			return nil, err
		}
		if n := len(line); n > 0 && line[n-1] == '\n' {
			line = line[:n-1]
		}
		return line, nil
	}
}
