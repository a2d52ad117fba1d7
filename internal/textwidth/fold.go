package textwidth

import (
	"strings"
	"unicode/utf8"
)

// Fold breaks a line into rows of at most limit cells, between words if possible. The
// line must not contain control sequences. If text is appended to the last row and that
// row is folded again, the other rows stay the same, so a line may arrive in pieces. For
// that reason, Fold keeps spaces at the end of the last row: only the next text shows
// whether the row ends there.
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

// window returns a prefix of line that certainly contains the first row. Measuring all of
// a long line for each of its rows would take too long.
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

// fitting returns the words at the start of line that fit, or a part of the first word.
// It never returns an empty string.
func fitting(line string, limit int) string {
	head := start(line, limit)
	if head == "" { // one character is wider than the row
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

// start returns the longest prefix of line that fits. Control sequences count as text.
func start(line string, limit int) string {
	o := options()
	o.ControlSequences = false
	return o.TruncateString(line, limit, "")
}
