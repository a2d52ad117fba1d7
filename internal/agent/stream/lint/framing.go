package lint

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Framing examines lines that hold no event. It remembers what they are part of,
// so that an object over ten lines is one finding.
type Framing struct {
	depth   int  // open brackets of an object over several lines
	lines   int  // lines of that object so far
	string  bool // the line so far ends within a string
	array   bool // it is an array
	foreign bool // the output is UTF-16, so nothing can be read
	sse     bool
}

// maxSpread limits the number of lines of one object.
const maxSpread = 10000

var (
	bom     = []byte("\ufeff")
	invalid = "\ufffd" // replaces bytes that are not valid UTF-8
)

// Unwrap returns the content of a line that starts with a byte-order mark or is
// a server-sent event, and the rule that the line breaks. For any other line,
// rule is "".
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

// Wrapped returns the finding for a line that [Unwrap] unwraps.
func Wrapped(rule string, line []byte) Finding {
	if rule == "bom" {
		return New(rule, "the output begins with a byte-order mark (EF BB BF)").on(line[min(len(bom), len(line)):])
	}
	return New(rule, "this is a server-sent event: “data:” precedes the JSON").at(line, 0, len("data:"))
}

// Check examines a line that holds no event. ok is false if nothing is wrong, or
// if an earlier finding covers the line.
func (f *Framing) Check(line []byte) (_ Finding, ok bool) {
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

// Open reports whether the next line is in the middle of an object.
func (f *Framing) Open() bool { return f.depth > 0 }

// Event records that a line was an event, so no object is open.
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
				return Finding{}, false // an event in some dialect
			}
		}
		if isRPC(text) {
			return New(SpeaksACP, "the program speaks the Agent Client Protocol").on(line), true
		}
		return New("no-type", "the object has no “type”, so it is not an event").on(line), true
	case at == len(text):
		f.lines, f.array = 0, false
		f.follow(text)
		return New("pretty-json", "the JSON object does not end on this line: it spans several lines or is cut off").at(line, len(line), len(line)), true
	}
	return about("bad-json", "", "invalid JSON: "+says, helpSyntax(text, at)).at(line, from, from+width(text, at)), true
}

func (f *Framing) list(line, text []byte) Finding {
	at, says := syntax(text)
	switch {
	case at >= 0 && at < len(text) && !looksJSON(text):
		return New("not-json", "this is not JSON").on(line)
	case at == len(text):
		f.lines, f.array = 0, true
		f.follow(text)
		return New("json-array", "this is the start of a JSON array").at(line, 0, 1)
	case at >= 0:
		return about("bad-json", "", "invalid JSON: "+says, "").at(line, at, at+1)
	}
	return New("json-array", "this is a JSON array, not an event").at(line, 0, 1)
}

// looksJSON distinguishes an array from a log line, such as [info] or [12:30].
func looksJSON(text []byte) bool {
	rest := bytes.TrimSpace(text[1:])
	return len(rest) == 0 || rest[0] == '{' || rest[0] == '"' || rest[0] == '[' || rest[0] == ']'
}

func (f *Framing) other(line, text []byte) (Finding, bool) {
	for _, field := range []string{"event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(text, []byte(field)) && (f.sse || field == "event:") {
			first := !f.sse
			f.sse = true
			return New("sse-data-prefix", "this is part of a server-sent event").at(line, 0, len(field)), first
		}
	}
	if bytes.HasPrefix(text, []byte("data:")) {
		f.sse = true
		rest := bytes.TrimSpace(text[len("data:"):])
		if string(rest) == "[DONE]" {
			return New("sse-data-prefix", "“[DONE]” is not an event").on(line), true
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
		return New("pretty-json", "this is the end of a JSON object that spans several lines").on(line), true
	}
	return New("not-json", "this is not JSON").on(line), true
}

// follow tracks the brackets of an object over several lines. It gives up if
// they don't match or the object has too many lines.
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
	f.string = false // a string can't span lines
	if f.depth < 0 || f.lines > maxSpread {
		f.depth = 0
	}
}

// isUTF16 reports whether a line has the zero bytes of UTF-16 between ASCII
// characters. The line may be a fragment that was split at a newline byte.
func isUTF16(line []byte) bool {
	part := line[:min(len(line), 256)]
	if rest, ok := bytes.CutPrefix(part, []byte(invalid)); ok {
		part = rest
	}
	part = bytes.TrimLeft(part, "\xff\xfe")
	zeros := bytes.Count(part, []byte{0})
	return zeros > 1 && zeros*3 >= len(part)
}

// NotUTF8 returns the finding for a line that is not valid UTF-8.
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
