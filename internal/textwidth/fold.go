package textwidth

import (
	"strings"
	"unicode/utf8"
)

// Fold breaks a line, which has no control sequences, into rows of at most
// limit cells, between words if possible. When more text is appended to the
// last row and that row is folded again, the other rows stay the same, so a
// line may arrive in pieces. That is why a space at the end of the last row is
// kept: only the text after it shows whether the row ends there.
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

// window returns a part of the start of line that is certain to hold the first
// row: measuring all of a long line for each of its rows would take too long.
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

// fitting returns the words at the start of line that fit, or a part of the
// first word. It is never empty.
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

// start returns as much of the start of line as fits. A control sequence counts
// as text here.
func start(line string, limit int) string {
	o := options()
	o.ControlSequences = false
	return o.TruncateString(line, limit, "")
}
