package jsontext

// maxNested is how deep values may nest in what Shallow returns.
const maxNested = 64

// Shallow returns v with every array and object that would nest deeper than 64
// levels replaced by a string, its own text. It reports false where v nests no
// deeper than encoding/json reads, and where its brackets do not match.
func Shallow(v []byte) ([]byte, bool) {
	if Depth(v) <= maxDepth {
		return v, false
	}
	out := make([]byte, 0, len(v))
	depth, from := 0, 0 // v[from:] is not in out yet
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			end, _ := scanString(v, i)
			if end < 0 {
				return v, false
			}
			i = end - 1
		case '{', '[':
			if depth++; depth == maxNested+1 {
				out = append(out, v[from:i]...)
				from = i
			}
		case '}', ']':
			if depth == maxNested+1 {
				out = AppendString(out, string(v[from:i+1]))
				from = i + 1
			}
			if depth--; depth < 0 {
				return v, false
			}
		}
	}
	if depth != 0 {
		return v, false
	}
	return append(out, v[from:]...), true
}
