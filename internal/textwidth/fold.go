package textwidth

import (
	"strings"
	"unicode/utf8"
)

// Fold breaks a line, which has no control sequences, into rows of at most
// limit cells, between words where it can. All rows but the last stay as they
// are when more is added to the last and that is folded again, so a line may
// come in pieces: a space at the end of a row is kept, for only what follows
// reports whether the row ends there.
func Fold(line string, limit int) []string {
	var rows []string
	for {
		near := window(line, limit)
		head := near
		if Width(strings.TrimRight(near, " ")) > limit {
			head = fitting(near, limit)
		} else if len(near) == len(line) {
			return append(rows, line)
		}
		rows = append(rows, strings.TrimRight(head, " "))
		line = strings.TrimLeft(line[len(head):], " ")
	}
}

// window is as much of the start of line as a row can be: to measure all of a
// long line for each of its rows would take for ever.
func window(line string, limit int) string {
	const bytesPerCell = 32
	n := limit * bytesPerCell
	if n >= len(line) {
		return line
	}
	for n > 0 && !utf8.RuneStart(line[n]) {
		n--
	}
	return line[:max(1, n)]
}

// fitting is the words at the start of line that fit, or as much of the first
// as does. It is never empty.
func fitting(line string, limit int) string {
	head := start(line, limit)
	if head == "" { // One character is wider than the row.
		head = start(line, limit+2)
	}
	if head == "" || strings.HasPrefix(line[len(head):], " ") {
		return line[:max(1, len(head))]
	}
	indent := len(head) - len(strings.TrimLeft(head, " "))
	if i := strings.LastIndexByte(head, ' '); i > indent {
		return head[:i]
	}
	return head
}

// start is as much of the start of line as fits, and nothing from behind it:
// a sequence that was there after all is taken for text.
func start(line string, limit int) string {
	o := options()
	o.ControlSequences = false
	return o.TruncateString(line, limit, "")
}
