package lint

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// syntax returns the offset at which text stops being JSON, and why. at is
// len(text) if only the end is missing, and -1 for valid JSON.
func syntax(text []byte) (at int, why string) {
	if json.Valid(text) {
		return -1, ""
	}
	err := exactjson.Unmarshal(text, new(json.RawMessage))
	wrong, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case !ok:
		return 0, err.Error()
	case strings.Contains(wrong.Error(), "unexpected end"):
		return len(text), "the end is missing"
	}
	at = max(0, min(int(wrong.Offset)-1, len(text)-1))
	if strings.Contains(wrong.Error(), "after top-level value") {
		return at, "there is more text after the JSON"
	}
	return at, reason(text, at, wrong.Error())
}

// reason says why the character at an offset is not allowed.
func reason(text []byte, at int, says string) string {
	c, _ := utf8.DecodeRune(text[at:])
	switch {
	case c == '\'':
		return "strings need double quotes"
	case c < ' ' && strings.Contains(says, "string literal"):
		return "control characters in a string must be escaped"
	case strings.Contains(says, "escape"):
		return "unknown escape sequence"
	case c == '}' || c == ']':
		if strings.Contains(says, "looking for beginning") {
			return "unexpected comma before " + string(c)
		}
	case c == 'T' || c == 'F' || c == 'N' || c == 'u' || c == 'I':
		return "unknown value (JSON has true, false and null)"
	}
	if _, where, ok := strings.Cut(says, "' "); ok {
		return "unexpected “" + string(c) + "” (" + where + ")"
	}
	return says
}

// helpSyntax returns the fix for a syntax error at an offset, or "".
func helpSyntax(text []byte, at int) string {
	switch text[at] {
	case '\'', 'T', 'F', 'N':
		return "This looks like a Python value. Print json.dumps(event) instead."
	case '{':
		return "Print one object per line."
	}
	return ""
}

// width returns the length of the character at an offset, in bytes.
func width(text []byte, at int) int {
	_, size := utf8.DecodeRune(text[at:])
	return size
}

// KindOf returns the JSON kind of a value, with its article.
func KindOf(value []byte) string {
	if len(value) == 0 {
		return "nothing"
	}
	switch value[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// span returns the byte range of a member's value in the object line. If the name
// is repeated, the last member counts. ok is false if it is missing.
func span(line []byte, name string) (from, to int, ok bool) {
	o := rawjson.Walk(line)
	for {
		key, _, more := o.Next()
		if !more {
			return from, to, ok
		}
		if rawjson.String(key).String() == name {
			from, to = o.Span()
			ok = true
		}
	}
}

// within returns the byte range of the value at a path of members, such as
// content.resource.uri. If part of the path is missing, it returns the range of
// the last value that exists.
func within(line []byte, path string) (from, to int) {
	from, to = 0, len(line)
	for name := range strings.SplitSeq(path, ".") {
		if from >= to || line[from] != '{' {
			return from, to
		}
		start, end, ok := span(line[from:to], name)
		if !ok {
			return from, to
		}
		from, to = from+start, from+end
	}
	return from, to
}
