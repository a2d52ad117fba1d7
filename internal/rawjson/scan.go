package rawjson

import (
	"bytes"
	"errors"
	"iter"
	"unicode/utf8"
)

// ErrSyntax means that a line is not exactly one JSON object.
var ErrSyntax = errors.New("not a JSON object")

// An Object walks over the members of one JSON object.
type Object struct {
	data  []byte
	pos   int
	start int  // of the last value, which ends at pos
	state byte // 0 before the first member, 1 between members, 2 at the end, 3 failed
	lone  bool
}

// Lone reports whether the value last returned by Next contains lone surrogates, and so
// needs [CleanValue].
func (o *Object) Lone() bool { return o.lone }

// Span returns the position in the line of the value last returned by Next.
func (o *Object) Span() (from, to int) { return o.start, o.pos }

// Walk starts a walk over the members of line, which must contain one JSON object and
// otherwise only white space. It doesn't check UTF-8; see [Valid].
func Walk(line []byte) Object {
	i := skipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return Object{state: 3}
	}
	return Object{data: line, pos: i + 1}
}

// Next returns the next member: the body of its key, and the bytes of its value. Both are
// still encoded, and are slices of the line. ok is false at the end of the object, or if
// the line is malformed; see [Object.Err].
func (o *Object) Next() (key, value []byte, ok bool) {
	if o.state > 1 {
		return nil, nil, false
	}
	b := o.data
	i := skipSpace(b, o.pos)
	if i < len(b) && b[i] == '}' {
		o.state = 3
		if skipSpace(b, i+1) == len(b) {
			o.state = 2
		}
		return nil, nil, false
	}
	if o.state == 1 {
		if i >= len(b) || b[i] != ',' {
			return o.fail()
		}
		i = skipSpace(b, i+1)
	}
	if i >= len(b) || b[i] != '"' {
		return o.fail()
	}
	keyEnd, _ := scanString(b, i)
	if keyEnd < 0 {
		return o.fail()
	}
	colon := skipSpace(b, keyEnd)
	if colon >= len(b) || b[colon] != ':' {
		return o.fail()
	}
	start := skipSpace(b, colon+1)
	end, lone := scanValue(b, start, maxDepth)
	if end < 0 {
		return o.fail()
	}
	o.pos, o.state, o.lone, o.start = end, 1, lone, start
	return b[i+1 : keyEnd-1], b[start:end], true
}

func (o *Object) fail() (key, value []byte, ok bool) {
	o.state = 3
	return nil, nil, false
}

// Err returns [ErrSyntax] if the walk ended before the end of a well-formed
// object, and nil otherwise.
func (o *Object) Err() error {
	if o.state == 3 {
		return ErrSyntax
	}
	return nil
}

// Valid returns line with invalid UTF-8 replaced by U+FFFD, because strict JSON readers
// reject it. It returns line itself if it is valid.
func Valid(line []byte) []byte {
	if utf8.Valid(line) {
		return line
	}
	return bytes.ToValidUTF8(line, []byte("\ufffd"))
}

// CleanValue returns the JSON value v with lone surrogates in its strings replaced by
// U+FFFD, or v itself if it contains none.
func CleanValue(v []byte) []byte {
	if surrogate(v) < 0 {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); {
		if v[i] != '"' {
			out = append(out, v[i])
			i++
			continue
		}
		end, _ := scanString(v, i)
		if end < 0 {
			return v
		}
		out = append(out, '"')
		out = append(out, String(v[i+1:end-1]).Clean()...)
		out = append(out, '"')
		i = end
	}
	return out
}

// Depth returns the nesting depth of arrays and objects in the JSON value v.
func Depth(v []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			end, _ := scanString(v, i)
			if end < 0 {
				return deepest
			}
			i = end - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// Elements yields the elements of a well-formed JSON array, as slices of array.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := skipSpace(array, 1); i < len(array) && array[i] != ']'; {
			end, _ := scanValue(array, i, maxDepth)
			if end < 0 || !yield(array[i:end]) {
				return
			}
			if i = skipSpace(array, end); i < len(array) && array[i] == ',' {
				i = skipSpace(array, i+1)
			}
		}
	}
}
