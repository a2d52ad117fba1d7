package dialect

import (
	"bytes"
	"iter"
	"reflect"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Fields are the members of one JSON object, as slices of the line that holds it.
// They are valid as long as the line is.
//
// Methods that read a member take its alternative names, and read the first one
// that is present. If a name is repeated, the last member counts. Null counts as
// absent. An absent member reads as zero, and a nil *Fields has no members. A
// value of the wrong kind also reads as zero, and is a fault of the line: see
// [Line.Emit].
type Fields struct {
	raw     []byte
	list    []member
	line    *scratch
	escapes bool // some names contain escapes
	whole   bool // read as raw JSON, with all its members
}

type member struct {
	key, value []byte
	lone       bool    // value has lone surrogates
	read       bool    // the decoded event may depend on the value
	whole      bool    // value was read as raw JSON, with everything in it
	extra      bool    // the member is in the event's Extra
	object     *Fields // the members of value, once parsed
}

// scratch is the memory that all objects of a line share, and that the next line
// reuses.
type scratch struct {
	objects []*Fields
	used    int
	names   names
	fault   error

	refused     *member // the member that set rejected; the outermost if nested
	refusedText bool    // refused should have been a string
	strange     bool    // set found a value outside its enumeration
}

// Limits on the memory that is kept for the next line.
const (
	maxKeptObjects = 32
	maxKeptMembers = 128
)

func (s *scratch) reset() {
	for _, f := range s.objects[:s.used] {
		if cap(f.list) > maxKeptMembers {
			f.list = nil
		}
	}
	if len(s.objects) > maxKeptObjects {
		s.objects = s.objects[:maxKeptObjects:maxKeptObjects]
	}
	s.used, s.fault, s.refused, s.strange = 0, nil, nil, false
}

// object parses the members of raw. If raw is malformed, the result has the
// members before the mistake.
func (s *scratch) object(raw []byte) (*Fields, error) {
	if s.used == len(s.objects) {
		s.objects = append(s.objects, &Fields{line: s})
	}
	f := s.objects[s.used]
	s.used++
	f.raw, f.list, f.escapes, f.whole = raw, f.list[:0], false, false
	o := rawjson.Walk(raw)
	for {
		key, value, ok := o.Next()
		if !ok {
			return f, o.Err()
		}
		f.list = append(f.list, member{key: key, value: value, lone: o.Lone()})
		f.escapes = f.escapes || hasEscape(key)
	}
}

// JSON returns the object's JSON.
func (f *Fields) JSON() []byte {
	if f == nil {
		return nil
	}
	f.whole = true
	return f.raw
}

// present returns the first member of these names that is not null, or nil.
func (f *Fields) present(keys []string) *member {
	if f == nil {
		return nil
	}
	for _, key := range keys {
		if m := f.last(key); m != nil && m.value[0] != 'n' {
			return m
		}
	}
	return nil
}

// find is like present, and marks the member as read.
func (f *Fields) find(keys []string) *member {
	m := f.present(keys)
	if m != nil {
		m.read = true
	}
	return m
}

// member is like look, and marks the member as read.
func (f *Fields) member(name string) *member {
	m := f.last(name)
	if m != nil {
		m.read = true
	}
	return m
}

// last returns the last member with this name, or nil.
func (f *Fields) last(name string) *member {
	for i := len(f.list) - 1; i >= 0; i-- {
		if m := &f.list[i]; string(m.key) == name || f.escapes && m.is(name) {
			return m
		}
	}
	return nil
}

// body returns the object in a member, or nil if the member is not an object.
func (f *Fields) body(name string) *Fields {
	m := f.member(name)
	if m == nil || m.value[0] != '{' {
		return nil
	}
	return f.line.within(m)
}

// within returns the members of m's value, which is an object. Parsing can't
// fail, because the walk over the line has checked the value.
func (s *scratch) within(m *member) *Fields {
	if m.object == nil {
		m.object, _ = s.object(m.value)
	}
	return m.object
}

// is reports whether m has this name, with escapes resolved.
func (m *member) is(name string) bool { return rawjson.String(m.key).String() == name }

func hasEscape(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// wrong records a fault for a value of the wrong kind, unless the line has one.
func (f *Fields) wrong(m *member, want string) {
	if f.line.fault == nil {
		f.line.fault = &kindError{rawjson.String(m.key).String(), want, lint.KindOf(m.value)}
	}
}

// A kindError reports that a member's value has the wrong kind.
type kindError struct{ member, want, got string }

// Error implements [error].
func (e *kindError) Error() string { return e.member + " must be " + e.want + ", not " + e.got }

// Member returns the member's name.
func (e *kindError) Member() string { return e.member }

// Has reports whether a member is present.
func (f *Fields) Has(keys ...string) bool { return f.present(keys) != nil }

// IsString reports whether a member is a string.
func (f *Fields) IsString(keys ...string) bool { return f.first(keys) == '"' }

// IsObject reports whether a member is an object.
func (f *Fields) IsObject(keys ...string) bool { return f.first(keys) == '{' }

// first returns the first byte of a member's value, which identifies its kind, or
// 0 if the member is absent.
func (f *Fields) first(keys []string) byte {
	m := f.find(keys)
	if m == nil {
		return 0
	}
	return m.value[0]
}

// All yields all members in order, including null and repeated ones.
func (f *Fields) All() iter.Seq2[agent.Text, agent.Raw] {
	return func(yield func(agent.Text, agent.Raw) bool) {
		if f == nil {
			return
		}
		f.whole = true
		for i := range f.list {
			m := &f.list[i]
			key, value := rawjson.String(m.key), m.value
			if m.lone {
				value = rawjson.CleanValue(value)
			}
			if !yield(rawjson.Wrap(key.Clean()), value) {
				return
			}
		}
	}
}

// Raw returns a member's value of any kind, or nil if it is absent.
func (f *Fields) Raw(keys ...string) agent.Raw {
	m := f.find(keys)
	if m == nil {
		return nil
	}
	m.whole = true
	if m.lone {
		return rawjson.CleanValue(m.value)
	}
	return m.value
}

// Piece returns a member's string as a slice of the line. It may begin or end
// with half of a surrogate pair, whose other half is in the next piece.
func (f *Fields) Piece(keys ...string) agent.Text {
	m := f.find(keys)
	if m == nil {
		return agent.Text{}
	}
	if m.value[0] != '"' {
		f.wrong(m, "a string")
		return agent.Text{}
	}
	return rawjson.Wrap(m.value[1 : len(m.value)-1])
}

// Text returns a member's string. Lone surrogates are replaced.
func (f *Fields) Text(keys ...string) agent.Text { return rawjson.Wrap(f.text(keys)) }

// text returns a member's string, still escaped, or nil if it is absent.
func (f *Fields) text(keys []string) rawjson.String {
	m := f.find(keys)
	if m == nil {
		return nil
	}
	if m.value[0] != '"' {
		f.wrong(m, "a string")
		return nil
	}
	text := rawjson.String(m.value[1 : len(m.value)-1])
	if m.lone {
		return text.Clean()
	}
	return text
}

// String returns a member's string, unescaped.
func (f *Fields) String(keys ...string) string { return f.text(keys).String() }

// Key is like String for strings that recur, such as ids: it avoids allocations.
func (f *Fields) Key(keys ...string) string {
	text := f.text(keys)
	if text == nil {
		return ""
	}
	if hasEscape(text) {
		return text.String()
	}
	return f.line.names.get(text)
}

// OptionalKey is like [Fields.Key], but treats a value of another kind as absent,
// not as a fault.
func (f *Fields) OptionalKey(keys ...string) string {
	if !f.IsString(keys...) {
		return ""
	}
	return f.Key(keys...)
}

// Shown returns a member's value of any kind as text: a string as it is, anything
// else as JSON.
func (f *Fields) Shown(keys ...string) agent.Text {
	m := f.find(keys)
	switch {
	case m == nil:
		return agent.Text{}
	case m.value[0] == '"':
		return f.Text(keys...)
	}
	return agent.NewText(string(f.Raw(keys...)))
}

// Bool returns a member's boolean.
func (f *Fields) Bool(keys ...string) bool {
	m := f.find(keys)
	if m == nil {
		return false
	}
	if c := m.value[0]; c != 't' && c != 'f' {
		f.wrong(m, "a boolean")
		return false
	}
	return m.value[0] == 't'
}

// Float returns a member's number.
func (f *Fields) Float(keys ...string) float64 {
	m := f.find(keys)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(string(m.value), 64)
	if err != nil {
		f.wrong(m, "a number")
		return 0
	}
	return v
}

// Int returns a member's integer.
func (f *Fields) Int(keys ...string) int64 {
	m := f.find(keys)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseInt(string(m.value), 10, 64)
	if err != nil {
		f.wrong(m, "a whole number")
		return 0
	}
	return v
}

// Object returns the members of an object in a member, or nil if it is absent.
func (f *Fields) Object(keys ...string) *Fields {
	m := f.find(keys)
	if m == nil {
		return nil
	}
	if m.value[0] != '{' {
		f.wrong(m, "an object")
		return nil
	}
	return f.line.within(m)
}

// Objects yields the members of each object in an array in a member.
func (f *Fields) Objects(keys ...string) iter.Seq[*Fields] {
	return func(yield func(*Fields) bool) {
		m := f.find(keys)
		if m == nil {
			return
		}
		if m.value[0] != '[' {
			f.wrong(m, "an array")
			return
		}
		for value := range rawjson.Elements(m.value) {
			if value[0] != '{' {
				f.wrong(m, "an array of objects only")
				return
			}
			if o, _ := f.line.object(value); !yield(o) {
				return
			}
		}
	}
}

// Read decodes the object into a struct by its field tags, like encoding/json but
// with case-sensitive names. Texts and raw values in the struct are slices of the
// line. A failure is recorded as a fault of the line.
func (f *Fields) Read(into any) (ok bool) {
	if f == nil {
		return true
	}
	err := f.read(reflect.ValueOf(into).Elem())
	if err != nil && f.line.fault == nil {
		f.line.fault = err
	}
	return err == nil
}
