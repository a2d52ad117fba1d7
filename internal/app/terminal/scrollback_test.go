package terminal

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// A display emulates as much of a terminal as a screen needs, so that a test sees what a
// user would see. Its height is unlimited.
type display struct {
	width int
	cells [][]rune
	x, y  int
}

func (d *display) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		if b[0] == 0x1b {
			size := bytes.IndexFunc(b, unicode.IsLetter) + 1
			d.sequence(string(b[:size]))
			b = b[size:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		b = b[size:]
		switch r {
		case '\r':
			d.x = 0
		case '\n':
			d.y++
		default:
			if d.x >= d.width {
				d.x = 0
				d.y++
			}
			d.draw(r)
		}
	}
	return n, nil
}

func (d *display) draw(r rune) {
	for len(d.cells) <= d.y {
		d.cells = append(d.cells, nil)
	}
	for len(d.cells[d.y]) <= d.x {
		d.cells[d.y] = append(d.cells[d.y], ' ')
	}
	d.cells[d.y][d.x] = r
	d.x++
}

func (d *display) sequence(s string) {
	switch {
	case s == "\x1b[J":
		if d.y < len(d.cells) {
			d.cells = d.cells[:d.y+1]
			d.cells[d.y] = d.cells[d.y][:min(d.x, len(d.cells[d.y]))]
		}
	case strings.HasSuffix(s, "A"):
		up, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(s, "\x1b["), "A"))
		if err != nil {
			up = 1
		}
		d.y = max(0, d.y-up)
	case strings.HasSuffix(s, "m"), strings.HasPrefix(s, "\x1b[?"):
	default:
		panic("the display does not know " + strconv.Quote(s))
	}
}

func (d *display) text() string {
	var rows []string
	for _, row := range d.cells {
		rows = append(rows, strings.TrimRight(string(row), " "))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

func newDisplay(width int) (*display, *scrollback) {
	d := &display{width: width}
	return d, newScrollback(d, style{live: true}, func() int { return d.width })
}

// However text is split, and whatever is drawn between the pieces, the user sees the
// same.
func TestScreenShowsAStreamAsAWhole(t *testing.T) {
	const text = "A paragraph that is much longer than the terminal is wide, so it is wrapped.\n\n" +
		"\tindented  with   spaces\n- item one-two-three-four-five-six-seven\nan-extraordinarily-long-word-that-fits-no-row-at-all\nend"
	whole, s := newDisplay(30)
	s.stream(messageMode, text)
	require.NoError(t, s.close())
	require.Equal(t, `A paragraph that is much
longer than the terminal is
wide, so it is wrapped.

    indented  with   spaces
- item
one-two-three-four-five-six
-seven
an-extraordinarily-long-wor
d-that-fits-no-row-at-all
end`, whole.text())
	for size := 1; size < 40; size += 3 {
		d, s := newDisplay(30)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			s.stream(messageMode, rest[:n])
			rest = rest[n:]
			s.live([]string{"spinner " + strconv.Itoa(len(rest)), "a row that is longer than the terminal is wide"})
			require.NoError(t, s.flush())
		}
		require.Contains(t, d.text(), "a row that is longer than th…")
		require.NoError(t, s.close())
		require.Equal(t, whole.text(), d.text(), "in pieces of %d", size)
	}
}

func TestScreenKeepsFinishedRowsAboveTheLiveOnes(t *testing.T) {
	d, s := newDisplay(40)
	s.print("first")
	s.stream(thoughtMode, "hm")
	s.live([]string{"working", "question?"})
	require.NoError(t, s.flush())
	require.Equal(t, "first\n┊ hm\nworking\nquestion?", d.text())
	s.print("second")
	s.live([]string{"question?"})
	require.NoError(t, s.flush())
	require.Equal(t, "first\n┊ hm\nsecond\nquestion?", d.text())
	s.stream(messageMode, "text")
	require.NoError(t, s.flush())
	require.Equal(t, "first\n┊ hm\nsecond\ntext\nquestion?", d.text())
	require.NoError(t, s.close())
	require.Equal(t, "first\n┊ hm\nsecond\ntext", d.text())
	require.Equal(t, 0, d.x, "the shell's prompt begins a line of its own")
}

// Blocks are final as soon as no further text can change them. The block that may still
// change is shown below, cut to the screen.
func TestScreenRendersMarkdownAsItArrives(t *testing.T) {
	const text = "# Title\n\nSome *text* that is longer than a row.\n\n- one\n- two\n\n```sh\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n```\n"
	const shown = "# Title\n\nSome text that is longer\nthan a row.\n\n• one\n• two\n\n  1\n  2\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n  10\n  11\n  12"
	for size := 1; size < 40; size += 3 {
		d, s := newDisplay(26)
		s.answer.rendered = true
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			s.stream(messageMode, rest[:n])
			rest = rest[n:]
			s.live([]string{"spinner"})
			require.NoError(t, s.flush())
			if size == 1 && rest == "```\n" {
				require.True(t, strings.HasSuffix(d.text(), "• two\n  3\n  4\n  5\n  6\n  7\n  8\n  9\n  10\n  11\n  12\nspinner"), d.text())
			}
		}
		require.True(t, strings.HasSuffix(d.text(), "\nspinner"), "what may still change stands above what runs")
		s.print("", "a row")
		s.stream(thoughtMode, "*hm*")
		s.stream(messageMode, "last")
		require.NoError(t, s.close())
		require.Equal(t, shown+"\n\na row\n┊ *hm*\nlast", d.text(), "in pieces of %d", size)
	}
}

func TestScreenWritesOnlyWhatChanged(t *testing.T) {
	var out bytes.Buffer
	s := newScrollback(&out, style{live: true}, func() int { return 80 })
	s.live([]string{"working"})
	require.NoError(t, s.flush())
	out.Reset()
	s.live([]string{"working"})
	require.NoError(t, s.flush())
	require.Empty(t, out.String())
	require.NoError(t, s.close())
	require.True(t, strings.HasSuffix(out.String(), "\x1b[?25h"))
}
