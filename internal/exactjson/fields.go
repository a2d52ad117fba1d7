package exactjson

import (
	"reflect"
	"strings"
)

// found is the fields of one name that are embedded least deep.
type found struct {
	of     reflect.Type
	depth  int
	tagged bool // the tag gives the name, which goes before Go's
	twice  bool // none of them counts
}

// fieldsOf are the types of a struct's members by their names. As encoding/json
// has it, members of embedded structs are the struct's own, unless a member less
// deep, or a tagged one as deep, has their name.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	all := map[string]found{}
	seen := map[reflect.Type]bool{}
	level := map[reflect.Type]int{t: 1}
	for depth := 0; len(level) > 0; depth++ {
		next := map[reflect.Type]int{}
		for s := range level {
			seen[s] = true
		}
		for s, times := range level {
			for f := range s.Fields() {
				if embedded := flattened(f); embedded != nil {
					if !seen[embedded] {
						next[embedded]++
					}
				} else if name, tagged, ok := nameOf(f); ok {
					add(all, name, found{of: f.Type, depth: depth, tagged: tagged, twice: times > 1})
				}
			}
		}
		level = next
	}
	fields := make(map[string]reflect.Type, len(all))
	for name, f := range all {
		if !f.twice {
			fields[name] = f.of
		}
	}
	return fields
}

// add is called for less deep fields first.
func add(all map[string]found, name string, f found) {
	old, taken := all[name]
	switch {
	case taken && (old.depth < f.depth || old.tagged && !f.tagged):
		return
	case taken && old.tagged == f.tagged:
		f.twice = true
	}
	all[name] = f
}

// flattened is the struct whose members a field stands for, nil where it is a
// member itself.
func flattened(f reflect.StructField) reflect.Type {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous || t.Kind() != reflect.Struct || name != "" {
		return nil
	}
	return t
}

// nameOf is the name of a member, and whether its tag gives it. ok is false where
// the field is no member.
func nameOf(f reflect.StructField) (name string, tagged, ok bool) {
	t := f.Type
	if f.Anonymous && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	// What an embedded struct has may be exported where its type is not.
	if !f.IsExported() && (!f.Anonymous || t.Kind() != reflect.Struct) {
		return "", false, false
	}
	tag := f.Tag.Get("json")
	if name, _, _ = strings.Cut(tag, ","); name != "" {
		return name, true, tag != "-"
	}
	return f.Name, false, true
}
