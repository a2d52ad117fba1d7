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

// Fields are the members of one JSON object, as parts of the line that holds
// it. They are valid as long as the line.
//
// Every method that reads a member takes names under which it may stand, and
// reads the first that is there; of several members of one name the last
// counts, and one that is null is absent. An absent member reads as zero, and a
// nil *Fields has no members. A value of the wrong kind reads as zero too, and is
// the line's fault: see [Line.Emit].
type Fields struct {
	raw     []byte
	list    []member
	line    *scratch
	escapes bool // some names are written with escapes
	whole   bool // it was read as it is, with all that is in it
}

type member struct {
	key, value []byte
	lone       bool    // value has halves of surrogate pairs
	read       bool    // what the line says may depend on the value
	whole      bool    // the value was read as it is, with all that is in it
	extra      bool    // it is in the event's Extra
	object     *Fields // the members of the value, once they were read
}

// scratch is what the objects of one line share, and the next line uses again.
type scratch struct {
	objects []*Fields
	used    int
	names   names
	fault   error

	refused     *member // what set could not take; of nested ones the outermost
	refusedText bool    // because it is no text
	strange     bool    // set has met a value that its enumeration does not have
}

// What is kept of a line for the next one is bounded.
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

// object reads the members of raw. Where it is malformed, the members before
// that are there all the same.
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

// JSON is the object itself.
func (f *Fields) JSON() []byte {
	if f == nil {
		return nil
	}
	f.whole = true
	return f.raw
}

// present returns the member that counts, or nil if it is absent.
func (f *Fields) present(keys []string) *member {
	if f == nil {
		return nil
	}
	for _, key := range keys {
		if m := f.look(key); m != nil && m.value[0] != 'n' {
			return m
		}
	}
	return nil
}

// find is present for a member that is read.
func (f *Fields) find(keys []string) *member {
	m := f.present(keys)
	if m != nil {
		m.read = true
	}
	return m
}

// member is look for a member that is read.
func (f *Fields) member(name string) *member {
	m := f.look(name)
	if m != nil {
		m.read = true
	}
	return m
}

// look returns the last member with a name, or nil.
func (f *Fields) look(name string) *member {
	for i := len(f.list) - 1; i >= 0; i-- {
		if m := &f.list[i]; string(m.key) == name || f.escapes && m.is(name) {
			return m
		}
	}
	return nil
}

// body is the object that is a member, nil where it is something else.
func (f *Fields) body(name string) *Fields {
	m := f.member(name)
	if m == nil || m.value[0] != '{' {
		return nil
	}
	return f.line.within(m)
}

// within is the object that is a member's value. The walk over the line has
// found it well-formed.
func (s *scratch) within(m *member) *Fields {
	if m.object == nil {
		m.object, _ = s.object(m.value)
	}
	return m.object
}

// is reports whether the member has the name, also where it is written with
// escapes.
func (m *member) is(name string) bool { return rawjson.String(m.key).String() == name }

func hasEscape(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }

// wrong notes the first value of a wrong kind.
func (f *Fields) wrong(m *member, want string) {
	if f.line.fault == nil {
		f.line.fault = &kindError{rawjson.String(m.key).String(), want, lint.KindOf(m.value)}
	}
}

// A kindError says that a member has a value of the wrong kind.
type kindError struct{ member, want, got string }

// Error implements [error].
func (e *kindError) Error() string { return e.member + " must be " + e.want + ", not " + e.got }

// Member is the name of the member.
func (e *kindError) Member() string { return e.member }

// Has reports whether a member is there.
func (f *Fields) Has(keys ...string) bool { return f.present(keys) != nil }

// IsString reports whether a member is a string.
func (f *Fields) IsString(keys ...string) bool { return f.first(keys) == '"' }

// IsObject reports whether a member is an object.
func (f *Fields) IsObject(keys ...string) bool { return f.first(keys) == '{' }

// first is the byte with which a member's value begins, which tells its kind; 0
// where it is absent.
func (f *Fields) first(keys []string) byte {
	m := f.find(keys)
	if m == nil {
		return 0
	}
	return m.value[0]
}

// All yields the members in their order, those that are null or repeated too.
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

// Raw is the value of a member, whatever it is; nil where it is absent.
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

// Piece is the text of a member, as a part of the line. It may
// end or begin with half of a character, whose other half is in the next piece.
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

// Text is the text of a member.
func (f *Fields) Text(keys ...string) agent.Text { return rawjson.Wrap(f.text(keys)) }

// text is the text of a member, still escaped; nil where it is absent.
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

// String is a string of a member.
func (f *Fields) String(keys ...string) string { return f.text(keys).String() }

// Key is a string of a member that comes more than once, such as an id.
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

// OptionalKey is [Fields.Key], but that a value of another kind is no fault: it
// is as absent.
func (f *Fields) OptionalKey(keys ...string) string {
	if !f.IsString(keys...) {
		return ""
	}
	return f.Key(keys...)
}

// Shown is any value of a member as text: a string as it is, anything else as
// its JSON.
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

// Bool is a boolean of a member.
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

// Float is a number of a member.
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

// Int is a whole number of a member.
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

// Object is the members of an object that is a member; nil where it is absent.
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

// Objects yields the members of each object in an array that is a member.
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
				f.wrong(m, "an array of objects alone")
				return
			}
			if o, _ := f.line.object(value); !yield(o) {
				return
			}
		}
	}
}

// Read decodes the object into a struct by the tags of its fields, as
// encoding/json does, but for names in another case. Texts and raw values of the
// struct are parts of the line. Where it cannot, that is the line's fault.
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
