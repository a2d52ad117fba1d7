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

// A plan says where the JSON for a type contains member names to check. It is nil for a
// type without any.
type plan struct {
	kind   kind
	fields map[string]*plan    // of a struct, by name
	folded map[string]struct{} // the same names, case-folded
	elem   *plan               // of the elements of a list or table
}

type kind byte

const (
	record kind = iota // a struct
	list               // a slice or an array
	table              // a map
)

// plans caches the plans by type.
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

// planner holds the plans in progress, because types may be recursive.
type planner map[reflect.Type]*plan

func (m planner) plan(t reflect.Type) *plan {
	for t.Kind() == reflect.Pointer {
		if decodesItself(t) {
			return nil
		}
		t = t.Elem()
	}
	// If the type has a name, encoding/json also calls the methods of the value's
	// address.
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

// container returns the plan for a type with elements, or nil if the elements have no
// plan.
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

// member returns the plan for the field with an encoded name. mistaken reports whether
// encoding/json would accept the name for a field although it differs.
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

// appendFolded appends name with each character replaced by the first of the characters
// that are equal under Unicode's simple case folding, which encoding/json uses for
// comparisons.
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
