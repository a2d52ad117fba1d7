package rawjson

// Shallow returns the JSON value v with what is nested deeper than limit shown
// as text: a string that holds it. It is v itself where nothing is. v need not
// be well-formed.
func Shallow(v []byte, limit int) []byte {
	var out []byte
	depth, copied := 0, 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			end, _ := scanString(v, i)
			if end < 0 {
				return append(out, v[copied:]...)
			}
			i = end - 1
		case '{', '[':
			if depth < limit {
				depth++
				continue
			}
			end := behind(v, i)
			if end < 0 {
				return append(out, v[copied:]...)
			}
			out = AppendString(append(out, v[copied:i]...), string(v[i:end]))
			i, copied = end-1, end
		case '}', ']':
			depth--
		}
	}
	if out == nil {
		return v
	}
	return append(out, v[copied:]...)
}

// behind is the index behind the bracket that closes the one at i, -1 where
// there is none.
func behind(v []byte, i int) int {
	for depth := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			end, _ := scanString(v, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
