package terminal

import (
	"bufio"
	"io"
	"strings"
)

// A plainPainter writes for logs, pipes and terminals without control sequences. It
// writes each row once and never erases anything.
type plainPainter struct {
	st   style
	out  *bufio.Writer
	open bool // the last line has no newline yet
	mode mode
}

func newPlainPainter(out io.Writer, st style) *plainPainter {
	return &plainPainter{st: st, out: bufio.NewWriterSize(out, 16<<10)}
}

// thoughtMark begins each line of a thought.
const thoughtMark = "~ "

func (p *plainPainter) stream(m mode, text string) {
	if p.open && p.mode != m {
		p.newline()
	}
	p.mode = m
	for piece := range strings.SplitAfterSeq(text, "\n") {
		if piece == "" {
			continue
		}
		line, ended := strings.CutSuffix(piece, "\n")
		if m == thoughtMode {
			if !p.open {
				line = thoughtMark + line
			}
			line = p.st.dim(line)
		}
		p.write(line)
		p.open = true
		if ended {
			p.newline()
		}
	}
}

func (p *plainPainter) print(rows ...string) {
	if p.open {
		p.newline()
	}
	for _, row := range rows {
		p.write(row)
		p.newline()
	}
}

func (p *plainPainter) live([]string) {}

func (p *plainPainter) flush() error { return p.out.Flush() }

func (p *plainPainter) close() error { return p.flush() }

// write and newline ignore errors: flush returns the first one.
func (p *plainPainter) write(s string) { _, _ = p.out.WriteString(s) }

func (p *plainPainter) newline() {
	_ = p.out.WriteByte('\n')
	p.open = false
}
