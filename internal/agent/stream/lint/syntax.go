package lint

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// syntax returns where text stops to be JSON, and why; len(text) where it only
// lacks its end, and -1 for valid JSON.
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
		return len(text), "it does not end"
	}
	at = max(0, min(int(wrong.Offset)-1, len(text)-1))
	if strings.Contains(wrong.Error(), "after top-level value") {
		return at, "something follows the JSON"
	}
	return at, reason(text, at, wrong.Error())
}

// reason says why a character cannot stand where it does.
func reason(text []byte, at int, says string) string {
	c, _ := utf8.DecodeRune(text[at:])
	switch {
	case c == '\'':
		return "a string stands between double quotation marks, not ' and '"
	case c < ' ' && strings.Contains(says, "string literal"):
		return "a control character in a string must be written as an escape"
	case strings.Contains(says, "escape"):
		return "there is no such escape"
	case c == '}' || c == ']':
		if strings.Contains(says, "looking for beginning") {
			return "there is a comma before " + string(c)
		}
	case c == 'T' || c == 'F' || c == 'N' || c == 'u' || c == 'I':
		return "there is no such value; JSON has true, false and null"
	}
	if _, where, ok := strings.Cut(says, "' "); ok {
		return "“" + string(c) + "” cannot stand here (" + where + ")"
	}
	return says
}

// helpSyntax returns the cure for a mistake in the JSON at a place.
func helpSyntax(text []byte, at int) string {
	switch text[at] {
	case '\'', 'T', 'F', 'N':
		return "This looks like a value as Python prints it: print json.dumps(event) instead."
	case '{':
		return "Print one object a line."
	}
	return ""
}

// width is how many bytes the character at a place has.
func width(text []byte, at int) int {
	_, size := utf8.DecodeRune(text[at:])
	return size
}

// KindOf says what kind of JSON a value is, with its article.
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

// span returns where the value of a member stands in the object line. ok is false
// where there is no such member; the last one counts.
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

// within returns where the value of a path of members stands, such as
// content.resource.uri. Where the path cannot be followed to its end, it is the
// place of the last member that is there.
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
