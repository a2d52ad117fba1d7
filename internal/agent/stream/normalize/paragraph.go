package normalize

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/rawjson"
)

const newline = `\n`

// paragraph makes a message's first piece start a new paragraph, because most
// clients show consecutive messages as one text. ends lists where the joined
// pieces of piece end.
func (x *text) paragraph(l lane, piece rawjson.String, ends []int) rawjson.String {
	missing := 2 - x.ends[l]
	for rest := piece; missing > 0 && bytes.HasPrefix(rest, []byte(newline)); rest = rest[len(newline):] {
		missing--
	}
	if missing <= 0 {
		return piece
	}
	begin := bytes.Repeat([]byte(newline), missing)
	for i := range ends {
		ends[i] += len(begin)
	}
	return append(begin, piece...)
}

// newlines returns how many newlines the text ends with after piece, at most
// two. before is the number before piece.
func newlines(piece rawjson.String, before int) int {
	n := 0
	for n < 2 && bytes.HasSuffix(piece, []byte(newline)) {
		piece = piece[:len(piece)-len(newline)]
		n++
	}
	switch {
	case len(piece) == 0:
		return min(n+before, 2)
	case n > 0 && odd(piece):
		return n - 1 // an escaped backslash followed by the letter n
	}
	return n
}

// odd reports whether s ends with an odd number of backslashes.
func odd(s rawjson.String) bool {
	return (len(s)-len(bytes.TrimRight(s, `\`)))%2 == 1
}
