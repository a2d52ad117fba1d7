package dialect

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A shape says how a Go type is represented in JSON.
type shape struct {
	kind shapeKind
	elem *shape // element of a pointer or slice
}

type shapeKind byte

const (
	otherShape shapeKind = iota // decoded by encoding/json
	textShape                   // an agent.Text
	pieceShape                  // an agent.Text that may end in half of a surrogate pair
	rawShape                    // any value, unchanged
	ownShape                    // a type that decodes itself
	stringShape
	boolShape
	intShape
	floatShape
	pointerShape
	sliceShape
	structShape
)

func shapeOf(t reflect.Type) *shape {
	switch t {
	case reflect.TypeFor[agent.Text]():
		return &shape{kind: textShape}
	case reflect.TypeFor[agent.Raw](), reflect.TypeFor[json.RawMessage]():
		return &shape{kind: rawShape}
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return &shape{kind: ownShape}
	}
	switch t.Kind() {
	case reflect.String:
		return &shape{kind: stringShape}
	case reflect.Bool:
		return &shape{kind: boolShape}
	case reflect.Int, reflect.Int64:
		return &shape{kind: intShape}
	case reflect.Float64:
		return &shape{kind: floatShape}
	case reflect.Struct:
		return &shape{kind: structShape}
	case reflect.Pointer:
		return &shape{kind: pointerShape, elem: shapeOf(t.Elem())}
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return &shape{kind: sliceShape, elem: shapeOf(t.Elem())}
		}
	}
	return &shape{}
}

// value sets v to a JSON value and reports whether it fits. lone means that
// the value contains lone surrogates.
func (s *scratch) value(v reflect.Value, sh *shape, value []byte, lone bool) bool {
	if value[0] == 'n' && sh.kind > ownShape {
		return true
	}
	switch sh.kind {
	case textShape, pieceShape, stringShape:
		return s.string(v, sh.kind, value, lone)
	case boolShape:
		v.SetBool(value[0] == 't')
		return value[0] == 't' || value[0] == 'f'
	case intShape:
		n, err := strconv.ParseInt(string(value), 10, 64)
		v.SetInt(n)
		return err == nil
	case floatShape:
		n, err := strconv.ParseFloat(string(value), 64)
		v.SetFloat(n)
		return err == nil
	case pointerShape:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return s.value(v.Elem(), sh.elem, value, lone)
	case sliceShape:
		return s.slice(v, sh.elem, value, lone)
	case structShape:
		if value[0] != '{' {
			return false
		}
		f, _ := s.object(value)
		return s.set(v, recordOf(v.Type()), f, nil)
	}
	if lone {
		value = rawjson.CleanValue(value)
	}
	switch sh.kind {
	case rawShape:
		v.SetBytes(value)
		return true
	case ownShape:
		own, ok := reflect.TypeAssert[json.Unmarshaler](v.Addr())
		return ok && own.UnmarshalJSON(value) == nil
	}
	return exactjson.Unmarshal(value, v.Addr().Interface()) == nil
}

func (s *scratch) string(v reflect.Value, kind shapeKind, value []byte, lone bool) bool {
	if value[0] != '"' {
		return value[0] == 'n'
	}
	body := rawjson.String(value[1 : len(value)-1])
	if lone && kind != pieceShape {
		body = body.Clean()
	}
	switch {
	case kind != stringShape:
		*v.Addr().Interface().(*agent.Text) = rawjson.Wrap(body)
	case hasEscape(body):
		v.SetString(body.String())
	default:
		v.SetString(s.names.get(body))
	}
	return true
}

func (s *scratch) slice(v reflect.Value, elem *shape, value []byte, lone bool) bool {
	if value[0] != '[' {
		return false
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	for value := range rawjson.Elements(value) {
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		last := v.Index(v.Len() - 1)
		last.SetZero()
		if !s.value(last, elem, value, lone) {
			return false
		}
	}
	return true
}
