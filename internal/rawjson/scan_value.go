package rawjson

// maxDepth limits the nesting of a member's value, so that encoding/json can also read
// the whole object. Its limit is 10000, including the object.
const maxDepth = 9999

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// scanValue returns the index after the JSON value that starts at i, or -1 if it is
// invalid. depth limits the nesting. lone reports whether the value contains lone
// surrogates.
func scanValue(b []byte, i, depth int) (end int, lone bool) {
	if i >= len(b) {
		return -1, false
	}
	switch b[i] {
	case '"':
		return scanString(b, i)
	case '{', '[':
		if depth == 0 {
			return -1, false
		}
		return scanNested(b, i, depth-1)
	case 't':
		return scanWord(b, i, "true"), false
	case 'f':
		return scanWord(b, i, "false"), false
	case 'n':
		return scanWord(b, i, "null"), false
	}
	return scanNumber(b, i), false
}

// scanNested is scanValue for an object or array that starts at i.
func scanNested(b []byte, i, depth int) (end int, lone bool) {
	object := b[i] == '{'
	last := b[i] + 2 // the closing bracket's code is two more than the opening one's
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == last {
		return i + 1, false
	}
	for {
		if object {
			key, half := scanKey(b, i)
			if key < 0 {
				return -1, false
			}
			i, lone = skipSpace(b, key), lone || half
		}
		value, half := scanValue(b, i, depth)
		if value < 0 {
			return -1, false
		}
		i, lone = skipSpace(b, value), lone || half
		switch {
		case i >= len(b):
			return -1, false
		case b[i] == last:
			return i + 1, lone
		case b[i] != ',':
			return -1, false
		}
		i = skipSpace(b, i+1)
	}
}

// scanKey returns the index after the key that starts at i and its colon, or -1.
func scanKey(b []byte, i int) (end int, lone bool) {
	if i >= len(b) || b[i] != '"' {
		return -1, false
	}
	end, lone = scanString(b, i)
	if end < 0 {
		return -1, false
	}
	if end = skipSpace(b, end); end >= len(b) || b[end] != ':' {
		return -1, false
	}
	return end + 1, lone
}

func scanWord(b []byte, i int, word string) (end int) {
	if end = i + len(word); end > len(b) || string(b[i:end]) != word {
		return -1
	}
	return end
}

// scanNumber is scanValue for a number. The caller checks what follows it.
func scanNumber(b []byte, i int) (end int) {
	if b[i] == '-' {
		i++
	}
	whole := i
	if i = skipDigits(b, i); i == whole || b[whole] == '0' && i > whole+1 {
		return -1
	}
	if i < len(b) && b[i] == '.' {
		fraction := i + 1
		if i = skipDigits(b, fraction); i == fraction {
			return -1
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		exponent := i
		if i = skipDigits(b, exponent); i == exponent {
			return -1
		}
	}
	return i
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}
