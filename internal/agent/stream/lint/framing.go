package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Framing looks at lines that hold no event. It remembers what they were a part
// of, so that an object over ten lines is one finding.
type Framing struct {
	depth   int  // of the brackets of an object over several lines that are open
	lines   int  // of that object, so far
	string  bool // a string of it is open
	array   bool // it is an array
	foreign bool // the output is UTF-16: nothing of it can be read
	sse     bool
}

// maxSpread bounds the lines of one object over several.
const maxSpread = 10000

var (
	bom     = []byte("\ufeff")
	invalid = "\ufffd" // what stands for bytes that are not UTF-8
)

// Unwrap returns what a line holds that begins with a byte-order mark, or is one
// of server-sent events, and the rule which that is against. The rule is "" for
// any other line.
func Unwrap(line []byte) (inner []byte, rule string) {
	inner = line
	if rest, ok := bytes.CutPrefix(inner, bom); ok {
		inner, rule = rest, "bom"
	}
	if rest, ok := bytes.CutPrefix(inner, []byte("data:")); ok {
		rest = bytes.TrimSpace(rest)
		if len(rest) > 0 && rest[0] == '{' {
			return rest, "sse-data-prefix"
		}
	}
	return inner, rule
}

// Wrapped is the finding of a line that [Unwrap] reads.
func Wrapped(rule string, line []byte) Finding {
	if rule == "bom" {
		return New(rule, "the output begins with a byte-order mark (EF BB BF)").on(line[min(len(bom), len(line)):])
	}
	return New(rule, "this is a line of server-sent events: there is “data:” before the JSON").at(line, 0, len("data:"))
}

// Look says what is wrong with a line that holds no event, and remembers it. ok
// is false where that was said with a line before, or nothing is wrong.
func (f *Framing) Look(line []byte) (_ Finding, ok bool) {
	if f.foreign {
		return Finding{}, false
	}
	if isUTF16(line) {
		f.foreign = true
		return New("utf16", "this is UTF-16, not UTF-8").on(nil), true
	}
	text := bytes.TrimSpace(line)
	if rest, found := bytes.CutPrefix(text, bom); found {
		text = rest
	}
	if len(text) == 0 {
		return Finding{}, false
	}
	if f.depth > 0 {
		f.follow(text)
		return Finding{}, false
	}
	switch text[0] {
	case '{':
		return f.object(line, text)
	case '[':
		return f.list(line, text), true
	}
	return f.other(line, text)
}

// Open reports whether the lines are in the middle of an object.
func (f *Framing) Open() bool { return f.depth > 0 }

// Event notes that a line was an event: what was open was not.
func (f *Framing) Event() { f.depth, f.string = 0, false }

func (f *Framing) object(line, text []byte) (Finding, bool) {
	at, says := syntax(text)
	from := bytes.Index(line, text[:1]) + at
	switch {
	case at < 0:
		o := rawjson.Walk(text)
		for {
			key, value, more := o.Next()
			if !more {
				break
			}
			if rawjson.String(key).String() == "type" {
				if value[0] != '"' {
					f := New("no-type", "type must be a string, not "+KindOf(value))
					f.Path = "$.type"
					start, end := o.Span()
					return f.at(line, bytes.Index(line, text[:1])+start, bytes.Index(line, text[:1])+end), true
				}
				return Finding{}, false // it is an event in some dialect
			}
		}
		return New("no-type", "the object has no “type”, so it is no event").on(line), true
	case at == len(text):
		f.lines, f.array = 0, false
		f.follow(text)
		return New("pretty-json", "the JSON object does not end on its line: it is printed over several lines, or cut off").at(line, len(line), len(line)), true
	}
	return about("bad-json", "", "this is not valid JSON: "+says, helpSyntax(text, at)).at(line, from, from+width(text, at)), true
}

func (f *Framing) list(line, text []byte) Finding {
	at, says := syntax(text)
	switch {
	case at >= 0 && at < len(text) && !looksJSON(text):
		return New("not-json", "this is not JSON").on(line)
	case at == len(text):
		f.lines, f.array = 0, true
		f.follow(text)
		return New("json-array", "this begins a JSON array").at(line, 0, 1)
	case at >= 0:
		return about("bad-json", "", "this is not valid JSON: "+says, "").at(line, at, at+1)
	}
	return New("json-array", "this is a JSON array, not an event").at(line, 0, 1)
}

// looksJSON tells an array from a line of a log, such as [info] or [12:30].
func looksJSON(text []byte) bool {
	rest := bytes.TrimSpace(text[1:])
	return len(rest) == 0 || rest[0] == '{' || rest[0] == '"' || rest[0] == '[' || rest[0] == ']'
}

func (f *Framing) other(line, text []byte) (Finding, bool) {
	for _, field := range []string{"event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(text, []byte(field)) && (f.sse || field == "event:") {
			first := !f.sse
			f.sse = true
			return New("sse-data-prefix", "this is a line of server-sent events").at(line, 0, len(field)), first
		}
	}
	if bytes.HasPrefix(text, []byte("data:")) {
		f.sse = true
		rest := bytes.TrimSpace(text[len("data:"):])
		if string(rest) == "[DONE]" {
			return New("sse-data-prefix", "“[DONE]” is no event").on(line), true
		}
		if len(rest) > 0 && rest[0] == '{' {
			return f.object(line, rest)
		}
		return New("not-json", "this is not JSON").on(line), true
	}
	if at, _ := syntax(text); at < 0 {
		return New("not-an-object", "this is "+KindOf(text)+", not a JSON object").at(line, 0, len(line)), true
	}
	if bytes.HasPrefix(text, []byte("}")) && strings.Trim(string(text[:min(len(text), 64)]), "},] ") == "" {
		return New("pretty-json", "this is the end of a JSON object that is printed over several lines").on(line), true
	}
	return New("not-json", "this is not JSON").on(line), true
}

// follow goes along the brackets of an object over several lines. What is no
// JSON at all ends it.
func (f *Framing) follow(text []byte) {
	f.lines++
	escaped := false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case f.string && c == '\\':
			escaped = true
		case c == '"':
			f.string = !f.string
		case f.string:
		case c == '{' || c == '[':
			f.depth++
		case c == '}' || c == ']':
			f.depth--
		}
	}
	f.string = false // a string cannot go over a line
	if f.depth < 0 || f.lines > maxSpread {
		f.depth = 0
	}
}

// isUTF16 reports whether a line, or a part of a line that was cut at a newline
// byte, has the zero bytes of UTF-16 between ASCII characters.
func isUTF16(line []byte) bool {
	part := line[:min(len(line), 256)]
	if rest, ok := bytes.CutPrefix(part, []byte(invalid)); ok {
		part = rest
	}
	part = bytes.TrimLeft(part, "\xff\xfe")
	zeros := bytes.Count(part, []byte{0})
	return zeros > 1 && zeros*3 >= len(part)
}

// NotUTF8 returns the finding of a line that is not UTF-8, if it is not.
func NotUTF8(line []byte) (_ Finding, bad bool) {
	if utf8.Valid(line) || isUTF16(line) {
		return Finding{}, false
	}
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && size == 1 {
			return New("not-utf8", "this is not valid UTF-8").at(line, i, i+1), true
		}
		i += size
	}
	return Finding{}, false
}
