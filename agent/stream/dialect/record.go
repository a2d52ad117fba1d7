package dialect

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A record describes the members of a struct, according to its tags.
type record struct {
	fields   []recordField
	byName   map[string]int
	required [][]int // fields that are always present, except booleans
	ids      [][]int // the ids among them
}

type recordField struct {
	name   string
	index  []int
	shape  *shape
	values []string // allowed strings; nil for any
}

var records sync.Map // of *record by reflect.Type

func recordOf(t reflect.Type) *record {
	if known, ok := records.Load(t); ok {
		return known.(*record)
	}
	r := &record{byName: make(map[string]int)}
	r.add(t, nil)
	known, _ := records.LoadOrStore(t, r)
	return known.(*record)
}

func (r *record) add(t reflect.Type, index []int) {
	for f := range t.Fields() {
		at := slices.Concat(index, f.Index)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			r.add(f.Type, at)
			continue
		case name == "-" || !f.IsExported():
			continue
		case name == "":
			name = f.Name
		}
		s := shapeOf(f.Type)
		if s.kind == textShape && f.Tag.Get("dialect") == "piece" {
			s.kind = pieceShape
		}
		if !strings.Contains(options, "omitempty") && f.Type.Kind() != reflect.Bool {
			r.required = append(r.required, at)
			if strings.HasSuffix(name, "Id") {
				r.ids = append(r.ids, at)
			}
		}
		r.byName[name] = len(r.fields)
		r.fields = append(r.fields, recordField{name, at, s, valuesOf(f.Tag.Get("jsonschema"))})
	}
}

// valuesOf returns the enumeration values that a tag lists.
func valuesOf(tag string) (values []string) {
	for part := range strings.SplitSeq(tag, ",") {
		if value, ok := strings.CutPrefix(part, "enum="); ok {
			values = append(values, value)
		}
	}
	return values
}

// find returns the field of a member, or nil. Members usually have the order
// of the fields: *next is the index to try first.
func (r *record) find(key []byte, next *int) *recordField {
	if *next < len(r.fields) && r.fields[*next].name == string(key) {
		*next++
		return &r.fields[*next-1]
	}
	i, ok := r.byName[string(key)]
	if !ok && hasEscape(key) {
		i, ok = r.byName[rawjson.String(key).String()]
	}
	if !ok {
		return nil
	}
	*next = i + 1
	return &r.fields[i]
}

// field returns the field at an index path.
func field(v reflect.Value, index []int) reflect.Value {
	for _, i := range index {
		v = v.Field(i)
	}
	return v
}

// read decodes the object into the struct v.
func (f *Fields) read(v reflect.Value) error { return f.readRecord(v, recordOf(v.Type()), nil) }

func (f *Fields) readRecord(v reflect.Value, r *record, unknown func(*member)) error {
	if f.line.set(v, r, f, unknown) {
		return nil
	}
	// encoding/json has the best error messages, except for our own text type.
	f.whole = true
	v.SetZero()
	err := exactjson.Unmarshal(rawjson.CleanValue(f.raw), v.Addr().Interface())
	if m := f.line.refused; err != nil && m != nil && m.value[0] != '"' && f.line.refusedText {
		return &kindError{rawjson.String(m.key).String(), "a string", lint.KindOf(m.value)}
	}
	return err
}

// set sets the fields of the struct v, and reports whether all values fit.
func (s *scratch) set(v reflect.Value, r *record, f *Fields, unknown func(*member)) bool {
	next := 0
	for i := range f.list {
		m := &f.list[i]
		known := r.find(m.key, &next)
		if known == nil {
			if unknown != nil {
				unknown(m)
			}
			continue
		}
		m.read, m.whole = true, known.shape.kind != pieceShape
		to := field(v, known.index)
		if !s.value(to, known.shape, m.value, m.lone) {
			s.refused, s.refusedText = m, known.shape.kind == textShape || known.shape.kind == pieceShape
			return false
		}
		if known.values != nil && known.shape.kind == stringShape && to.Len() > 0 && !slices.Contains(known.values, to.String()) {
			s.strange = true
		}
	}
	return true
}
