package jsonc

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxDepth limits the nesting of a document. The parser is recursive, and a stack
// overflow would end the program.
const maxDepth = 1000

var byteOrderMark = []byte("\ufeff")

// An Error says where and why a document is invalid.
type Error struct {
	Line, Column int // 1-based; columns count characters
	Reason       string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// A Document is the text of a file together with its parsed value.
type Document struct {
	// Unit is one step of indentation, for documents without indented members.
	Unit string

	mark  bool   // the text began with a byte order mark
	text  []byte // without the mark
	root  hujson.Value
	blank bool // only white space and comments, no value
}

// Parse parses a document. An empty one, or one with only comments, counts as an object
// without members.
func Parse(text []byte) (*Document, error) {
	d := &Document{Unit: "  "}
	d.text, d.mark = bytes.CutPrefix(bytes.Clone(text), byteOrderMark)
	if err := d.parse(); err != nil {
		return nil, err
	}
	return d, nil
}

// Bytes returns the current text.
func (d *Document) Bytes() []byte {
	if d.mark {
		return append(bytes.Clone(byteOrderMark), d.text...)
	}
	return bytes.Clone(d.text)
}

// parse parses the text.
func (d *Document) parse() error {
	if at := invalidUTF8(d.text); at >= 0 {
		return d.fail(at, "not UTF-8 text")
	}
	if at := tooDeep(d.text); at >= 0 {
		return d.fail(at, "nested too deeply")
	}
	// A comment may end at EOF, but the library requires a newline there.
	padded := append(bytes.Clone(d.text), '\n')
	root, err := hujson.Parse(padded)
	d.root, d.blank = root, false
	if err == nil {
		return nil
	}
	if empty, blankErr := hujson.Parse(append(padded, "{}"...)); blankErr == nil && empty.StartOffset > len(d.text) {
		d.root, d.blank = hujson.Value{}, true
		return nil
	}
	return d.syntax(err)
}

// syntax converts a library error, which may quote a secret from the text.
func (d *Document) syntax(err error) error {
	var line, column int
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		return &Error{1, 1, "invalid JSON"}
	}
	at := 0
	for range line - 1 {
		length := bytes.IndexByte(d.text[at:], '\n')
		if length < 0 {
			at = len(d.text) // the error is at the newline added by parse
			break
		}
		at += length + 1
	}
	at = min(at+column-1, len(d.text))
	if len(bytes.TrimSpace(d.text[at:])) == 0 {
		return d.fail(at, "invalid JSON: unexpected end")
	}
	return d.fail(at, "invalid JSON")
}

// fail returns an error about the text at an offset.
func (d *Document) fail(at int, format string, args ...any) error {
	before := d.text[:at]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return &Error{line, column, fmt.Sprintf(format, args...)}
}

func invalidUTF8(text []byte) int {
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 || r == 0 {
			return at
		}
		at += n
	}
	return -1
}

// tooDeep returns the offset at which the brackets exceed maxDepth, or -1. It also counts
// brackets in strings, because settings don't contain thousands of unmatched ones there.
func tooDeep(text []byte) int {
	depth := 0
	for at, b := range text {
		switch b {
		case '{', '[':
			if depth++; depth > maxDepth {
				return at
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// find returns the value at a path, and the objects on the way to it, starting with the
// root. If a key is missing, the value is nil, and the last object is the one that lacks
// it.
func (d *Document) find(path []string) (value *hujson.Value, way []*hujson.Value, err error) {
	if d.blank {
		return nil, nil, nil
	}
	value = &d.root
	for i, name := range path {
		object, ok := value.Value.(*hujson.Object)
		if !ok {
			return nil, nil, d.fail(value.StartOffset, "%s must be an object", describePath(path[:i]))
		}
		way = append(way, value)
		at, err := d.index(object, name)
		if err != nil || at < 0 {
			return nil, way, err
		}
		value = &object.Members[at].Value
	}
	return value, way, nil
}

// index returns the position of a member in an object, or -1.
func (d *Document) index(o *hujson.Object, name string) (int, error) {
	found := -1
	for i, m := range o.Members {
		if literal, ok := m.Name.Value.(hujson.Literal); !ok || literal.String() != name {
			continue
		}
		if found >= 0 {
			// Some programs use the first one, and some use the last.
			return 0, d.fail(m.Name.StartOffset, "the key %q appears twice", name)
		}
		found = i
	}
	return found, nil
}

// describePath names the value at a path for error messages.
func describePath(path []string) string {
	if len(path) == 0 {
		return "this value"
	}
	return fmt.Sprintf("%q", path[len(path)-1])
}

// Decode decodes the value at a path like [exactjson.Unmarshal]. It reports whether the
// value exists.
func (d *Document) Decode(into any, path ...string) (bool, error) {
	v, _, err := d.find(path)
	if v == nil || err != nil {
		return false, err
	}
	plain := v.Clone()
	plain.Standardize()
	if err := exactjson.Unmarshal(bytes.TrimSpace(plain.Pack()), into); err != nil {
		return true, d.fail(v.StartOffset, "%s has the wrong type", describePath(path))
	}
	return true, nil
}

// Names returns the member names of the object at a path, in order.
func (d *Document) Names(path ...string) ([]string, error) {
	v, _, err := d.find(path)
	if v == nil || err != nil {
		return nil, err
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.fail(v.StartOffset, "%s must be an object", describePath(path))
	}
	var names []string
	for _, m := range object.Members {
		if literal, ok := m.Name.Value.(hujson.Literal); ok {
			names = append(names, literal.String())
		}
	}
	return names, nil
}

// IsEmpty reports whether the value at a path is an object or a list without content, not
// even comments.
func (d *Document) IsEmpty(path ...string) bool {
	v, _, err := d.find(path)
	if v == nil || err != nil {
		return false
	}
	switch container := v.Value.(type) {
	case *hujson.Object:
		return len(container.Members) == 0 && len(bytes.TrimSpace(container.AfterExtra)) == 0
	case *hujson.Array:
		return len(container.Elements) == 0 && len(bytes.TrimSpace(container.AfterExtra)) == 0
	}
	return false
}
