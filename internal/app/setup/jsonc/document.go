package jsonc

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxDepth bounds how deep a document may be nested. The parser is recursive,
// and would end the program where its stack ends.
const maxDepth = 1000

var byteOrderMark = []byte("\ufeff")

// An Error says where a document is wrong, and why.
type Error struct {
	Line, Column int // 1-based; columns count characters
	Reason       string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// A Document is the text of a file and what it means.
type Document struct {
	// Unit is one step of indentation, for documents that show none.
	Unit string

	mark  bool   // it began with a byte order mark
	text  []byte // without the mark
	root  hujson.Value
	blank bool // there is no value, only space and comments
}

// Parse reads a document. An empty one, and one of comments alone, is an
// object that has no members yet.
func Parse(text []byte) (*Document, error) {
	d := &Document{Unit: "  "}
	d.text, d.mark = bytes.CutPrefix(bytes.Clone(text), byteOrderMark)
	if err := d.parse(); err != nil {
		return nil, err
	}
	return d, nil
}

// Bytes returns the text as it is now.
func (d *Document) Bytes() []byte {
	if d.mark {
		return append(bytes.Clone(byteOrderMark), d.text...)
	}
	return bytes.Clone(d.text)
}

// parse finds out what the text means.
func (d *Document) parse() error {
	if at := invalidUTF8(d.text); at >= 0 {
		return d.fail(at, "this is no UTF-8 text")
	}
	if at := tooDeep(d.text); at >= 0 {
		return d.fail(at, "this is nested too deep")
	}
	// A comment may end with the file; the library wants a newline there.
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

// syntax makes an error of the library's. What it says may repeat what stands
// there, which may be a secret.
func (d *Document) syntax(err error) error {
	var line, column int
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scanErr != nil {
		return &Error{1, 1, "this is no JSON"}
	}
	at := 0
	for range line - 1 {
		length := bytes.IndexByte(d.text[at:], '\n')
		if length < 0 {
			at = len(d.text) // in the newline that the library wants
			break
		}
		at += length + 1
	}
	at = min(at+column-1, len(d.text))
	if len(bytes.TrimSpace(d.text[at:])) == 0 {
		return d.fail(at, "this is no JSON: it ends too soon")
	}
	return d.fail(at, "this is no JSON")
}

// fail is an error about what stands at an offset.
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

// tooDeep says where the brackets go beyond maxDepth. It counts those in
// strings as well, where thousands that do not match are no settings either.
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

// find returns the value at a path, and the objects on the way to it, from the
// root on. Where a key is missing the value is nil, and the last object is the
// one that lacks it.
func (d *Document) find(path []string) (value *hujson.Value, way []*hujson.Value, err error) {
	if d.blank {
		return nil, nil, nil
	}
	value = &d.root
	for i, name := range path {
		object, ok := value.Value.(*hujson.Object)
		if !ok {
			return nil, nil, d.fail(value.StartOffset, "%s must be an object", called(path[:i]))
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

// index is where a member stands in an object, or -1.
func (d *Document) index(o *hujson.Object, name string) (int, error) {
	found := -1
	for i, m := range o.Members {
		if literal, ok := m.Name.Value.(hujson.Literal); !ok || literal.String() != name {
			continue
		}
		if found >= 0 {
			// Some programs take the first and some the last.
			return 0, d.fail(m.Name.StartOffset, "the key %q stands here twice", name)
		}
		found = i
	}
	return found, nil
}

// called is how errors call what is at a path.
func called(path []string) string {
	if len(path) == 0 {
		return "what stands here"
	}
	return fmt.Sprintf("%q", path[len(path)-1])
}

// Decode decodes the value at a path, as [exactjson.Unmarshal] does, and says
// whether there is one.
func (d *Document) Decode(into any, path ...string) (bool, error) {
	v, _, err := d.find(path)
	if v == nil || err != nil {
		return false, err
	}
	plain := v.Clone()
	plain.Standardize()
	if err := exactjson.Unmarshal(bytes.TrimSpace(plain.Pack()), into); err != nil {
		return true, d.fail(v.StartOffset, "%s is not what belongs there", called(path))
	}
	return true, nil
}

// Names lists the members of the object at a path, in their order.
func (d *Document) Names(path ...string) ([]string, error) {
	v, _, err := d.find(path)
	if v == nil || err != nil {
		return nil, err
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.fail(v.StartOffset, "%s must be an object", called(path))
	}
	var names []string
	for _, m := range object.Members {
		if literal, ok := m.Name.Value.(hujson.Literal); ok {
			names = append(names, literal.String())
		}
	}
	return names, nil
}

// IsEmpty says whether at a path is an object in which nothing stands, no
// comment either.
func (d *Document) IsEmpty(path ...string) bool {
	v, _, err := d.find(path)
	if v == nil || err != nil {
		return false
	}
	object, ok := v.Value.(*hujson.Object)
	return ok && len(object.Members) == 0 && len(bytes.TrimSpace(object.AfterExtra)) == 0
}
