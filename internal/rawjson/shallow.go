package rawjson

// Shallow returns the JSON value v with each part nested deeper than limit replaced by a
// string that contains its text. It returns v itself if it has no such part. v may be
// malformed.
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
			end := nestedEnd(v, i)
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

// nestedEnd returns the index after the bracket that closes the one at i, or -1 if it
// isn't closed.
func nestedEnd(v []byte, i int) int {
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
