package markdown

import "bytes"

// What is parsed of a text is bounded: an agent may write what takes seconds and
// gigabytes.
const (
	maxCells  = 1 << 15 // of a table; each row has as many as its head
	maxNested = 200     // lists and quotes in one another that a line begins
)

// tooWide reports whether a table in source may have too many cells. No table goes
// beyond a blank line.
func tooWide(source []byte) bool {
	rows, columns := 0, 0
	for line := range bytes.Lines(source) {
		if len(bytes.TrimSpace(line)) == 0 {
			rows, columns = 0, 0
			continue
		}
		rows++
		columns = max(columns, bytes.Count(line, []byte{'|'})+1)
		if rows*columns > maxCells {
			return true
		}
	}
	return false
}

// tooDeep reports whether a line of source begins too many lists and quotes.
func tooDeep(source []byte) bool {
	for line := range bytes.Lines(source) {
		prefix := line[:len(line)-len(bytes.TrimLeft(line, " \t>-+*0123456789.)"))]
		nested := 0
		for _, c := range prefix {
			if c == '>' || c == '-' || c == '+' || c == '*' || c == '.' || c == ')' {
				nested++
			}
		}
		// A line of nothing else is a rule, or dots.
		if nested > maxNested && bytes.ContainsAny(bytes.TrimSpace(prefix), " \t>") {
			return true
		}
	}
	return false
}
