package exactjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// A plan says where in the JSON for a type there are names to be looked at. It is
// nil for a type for which there are none.
type plan struct {
	kind   kind
	fields map[string]*plan    // of a struct, by their names
	folded map[string]struct{} // the same names, folded
	elem   *plan               // of a list, and of a table
}

type kind byte

const (
	record kind = iota // a struct
	list               // a slice or an array
	table              // a map
)

// plans holds what has been made, by type.
var plans sync.Map

func planOf(t reflect.Type) *plan {
	if t == nil {
		return nil
	}
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := planner{}.plan(t)
	plans.Store(t, p)
	return p
}

// planner holds the plans that are being made, as types may be recursive.
type planner map[reflect.Type]*plan

func (m planner) plan(t reflect.Type) *plan {
	for t.Kind() == reflect.Pointer {
		if decodesItself(t) {
			return nil
		}
		t = t.Elem()
	}
	// encoding/json looks for methods of a value at its address, if its type has
	// a name.
	if t.Name() != "" && decodesItself(reflect.PointerTo(t)) {
		return nil
	}
	if p, ok := m[t]; ok {
		return p
	}
	switch t.Kind() {
	case reflect.Struct:
		p := &plan{kind: record, fields: map[string]*plan{}, folded: map[string]struct{}{}}
		m[t] = p
		for name, of := range fieldsOf(t) {
			p.fields[name] = m.plan(of)
			p.folded[string(appendFolded(nil, []byte(name)))] = struct{}{}
		}
		return p
	case reflect.Slice, reflect.Array:
		return m.container(list, t)
	case reflect.Map:
		return m.container(table, t)
	}
	return nil
}

// container is the plan for a type with elements, if they have one.
func (m planner) container(k kind, t reflect.Type) *plan {
	p := &plan{kind: k}
	m[t] = p
	if p.elem = m.plan(t.Elem()); p.elem == nil {
		delete(m, t)
		return nil
	}
	return p
}

func decodesItself(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.Unmarshaler]()) || t.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// member tells what the name of a member, as it is written, means: the plan of
// the field that it names, or that it would only be taken for a field.
func (p *plan) member(name []byte) (of *plan, mistaken bool) {
	if p.kind == table {
		return p.elem, false
	}
	if of, known := p.fields[string(name)]; known {
		return of, false
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(rawjson.String(name).String())
		if of, known := p.fields[string(name)]; known {
			return of, false
		}
	}
	var buffer [64]byte
	_, mistaken = p.folded[string(appendFolded(buffer[:0], name))]
	return nil, mistaken
}

// appendFolded appends name with each character as the first of those that
// Unicode's simple folding holds to be the same, which is what encoding/json
// compares.
func appendFolded(dst, name []byte) []byte {
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRune(name[i:])
		i += n
		if 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' {
			dst = append(dst, byte(r))
			continue
		}
		first := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			first = min(first, next)
		}
		dst = utf8.AppendRune(dst, first)
	}
	return dst
}
