package exactjson

import (
	"reflect"
	"strings"
)

// found is the field that a name refers to, or several fields at the same depth of
// embedding.
type found struct {
	of     reflect.Type
	depth  int
	tagged bool // the name comes from a tag, which takes precedence over a Go name
	twice  bool // the name is ambiguous, so no field has it
}

// fieldsOf returns the types of a struct's members by name. As in encoding/json, the
// members of an embedded struct count as the struct's own. Among members with the same
// name, the one with the least depth wins, and at the same depth a tagged one.
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

// add adds a field. It must be called for fields in order of depth.
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

// flattened returns the struct whose members count as the outer struct's own, or nil if
// the field is itself a member.
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

// nameOf returns the name of a field's member, and whether the name comes from the tag.
// ok is false if the field isn't a member.
func nameOf(f reflect.StructField) (name string, tagged, ok bool) {
	t := f.Type
	if f.Anonymous && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	// The fields of an embedded struct may be exported even if its type is not.
	if !f.IsExported() && (!f.Anonymous || t.Kind() != reflect.Struct) {
		return "", false, false
	}
	tag := f.Tag.Get("json")
	if name, _, _ = strings.Cut(tag, ","); name != "" {
		return name, true, tag != "-"
	}
	return f.Name, false, true
}
