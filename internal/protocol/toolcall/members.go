package toolcall

import (
	"slices"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Members is a call, or several updates of one, as JSON with undecoded values. The zero
// value is an empty update.
//
// It refers to the bytes of all objects that were merged into it.
type Members struct {
	list   []member     // in order of first appearance
	places map[Name]int // in list, once it is long
}

// fewMembers is the number of members up to which a linear search is used.
const fewMembers = 32

type member struct {
	name  Name
	value []byte
}

// Merge applies an update, which must be a JSON object.
func (m *Members) Merge(update []byte) {
	o := rawjson.Walk(update)
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		if name := nameOf(key); name != "_meta" && !replaces(name, value) {
			if isGiven(value) { // clients require a title, so an empty one is better than none
				m.add(Name{Text: name}, value)
			}
			continue
		}
		for name, value := range Changes(key, value) {
			m.set(name, value)
		}
	}
}

// set replaces a member, or adds it.
func (m *Members) set(name Name, value []byte) {
	switch i := m.place(name); {
	case i < 0:
		m.append(name, value)
	case name != Name{Text: "sessionUpdate"} && name != Name{Text: "toolCallId"}:
		m.list[i].value = value
	}
}

// add adds a member unless it exists.
func (m *Members) add(name Name, value []byte) {
	if m.place(name) < 0 {
		m.append(name, value)
	}
}

func (m *Members) append(name Name, value []byte) {
	if len(m.list) >= maxMembers && (name.Meta || !slices.Contains(names, name.Text)) {
		return
	}
	m.list = append(m.list, member{name, value})
	switch {
	case m.places != nil:
		m.places[name] = len(m.list) - 1
	case len(m.list) > fewMembers:
		m.places = make(map[Name]int)
		for i, o := range m.list {
			m.places[o.name] = i
		}
	}
}

// place returns the index of a member, or -1.
func (m *Members) place(name Name) int {
	if m.places == nil {
		return slices.IndexFunc(m.list, func(o member) bool { return o.name == name })
	}
	if i, ok := m.places[name]; ok {
		return i
	}
	return -1
}

// AppendTo appends the members as one JSON object.
func (m *Members) AppendTo(dst []byte) []byte {
	dst = append(dst, '{')
	first, meta := true, false
	for _, o := range m.list {
		if o.name.Meta && meta {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if o.name.Meta {
			dst, meta = m.appendMeta(append(dst, `"_meta":`...)), true
			continue
		}
		dst = appendMember(dst, o)
	}
	return append(dst, '}')
}

// appendMeta appends the keys of _meta. There must be at least one.
func (m *Members) appendMeta(dst []byte) []byte {
	before := byte('{')
	for _, o := range m.list {
		if o.name.Meta {
			dst = appendMember(append(dst, before), o)
			before = ','
		}
	}
	return append(dst, '}')
}

func appendMember(dst []byte, o member) []byte {
	return append(append(rawjson.AppendString(dst, o.name.Text), ':'), o.value...)
}
