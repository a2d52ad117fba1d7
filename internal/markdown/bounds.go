package markdown

import "bytes"

// The amount of parsed text is limited, because an agent may write text that would take
// seconds and gigabytes to parse.
const (
	maxCells  = 1 << 15 // per table; each row has as many as the head
	maxNested = 200     // nested lists and quotes that one line may begin
)

// tooWide reports whether a table in source may have too many cells. A blank line ends a
// table.
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

// tooDeep reports whether a line of source begins too many nested lists and quotes.
func tooDeep(source []byte) bool {
	for line := range bytes.Lines(source) {
		prefix := line[:len(line)-len(bytes.TrimLeft(line, " \t>-+*0123456789.)"))]
		nested := 0
		for _, c := range prefix {
			if c == '>' || c == '-' || c == '+' || c == '*' || c == '.' || c == ')' {
				nested++
			}
		}
		// A line of nothing else is a thematic break, or dots.
		if nested > maxNested && bytes.ContainsAny(bytes.TrimSpace(prefix), " \t>") {
			return true
		}
	}
	return false
}
