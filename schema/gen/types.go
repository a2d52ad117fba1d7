package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/turnwire/turnwire/agent"
)

// types reflects Go types into the $defs of one schema.
type types struct {
	defs jsonschema.Definitions
	// names maps types to names that differ from their Go names.
	names map[reflect.Type]string
	// values lists the values of a named string type.
	values map[reflect.Type][]any
	// custom replaces reflection for types that it can't handle.
	custom map[reflect.Type]func() *jsonschema.Schema

	from map[string]reflect.Type
}

func newTypes() *types {
	return &types{
		defs: jsonschema.Definitions{},
		custom: map[reflect.Type]func() *jsonschema.Schema{
			reflect.TypeFor[agent.Text](): func() *jsonschema.Schema {
				return &jsonschema.Schema{Type: "string"}
			},
		},
		from: map[string]reflect.Type{},
	}
}

// add reflects t and all types that it refers to. It returns t's definition.
func (ts *types) add(t reflect.Type) (*jsonschema.Schema, error) {
	var clash error
	r := jsonschema.Reflector{
		Anonymous:                 true,
		AllowAdditionalProperties: true,
		Mapper:                    ts.mapped,
		Namer: func(t reflect.Type) string {
			name := ts.name(t)
			if name == "" || t.PkgPath() == "" {
				return name // not a type with a definition
			}
			if old, ok := ts.from[name]; ok && old != t {
				clash = fmt.Errorf("both %v and %v are called %s", old, t, name)
			}
			ts.from[name] = t
			return name
		},
	}
	reflected := r.ReflectFromType(t)
	if clash != nil {
		return nil, clash
	}
	for name, def := range reflected.Definitions {
		if ts.defs[name] != nil {
			continue // already reached through another type
		}
		describe(def, ts.from[name])
		ts.defs[name] = def
	}
	def, ok := ts.defs[ts.name(t)]
	if !ok {
		return nil, fmt.Errorf("%v has no definition", t)
	}
	return def, nil
}

func (ts *types) name(t reflect.Type) string {
	if name, ok := ts.names[t]; ok {
		return name
	}
	return t.Name()
}

// mapped returns a new schema for each call, because the library modifies it according to
// the tags of a field.
func (ts *types) mapped(t reflect.Type) *jsonschema.Schema {
	if build, ok := ts.custom[t]; ok {
		return build()
	}
	if values, ok := ts.values[t]; ok {
		return &jsonschema.Schema{Type: "string", Enum: slices.Clone(values)}
	}
	return nil
}

// describe corrects how the library parses the tags of t's fields. The library ends a
// description at its first comma. In this repository the description is the last part of
// a tag, so it includes the rest of the tag. describe also adds the values in a tag to
// those of the field's type.
func describe(def *jsonschema.Schema, t reflect.Type) {
	if t.Kind() != reflect.Struct || def.Properties == nil {
		return
	}
	for p := def.Properties.Oldest(); p != nil; p = p.Next() {
		p.Value.Enum = unique(p.Value.Enum)
	}
	for _, f := range reflect.VisibleFields(t) {
		_, text, ok := strings.Cut(f.Tag.Get("jsonschema"), "description=")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if property, ok := def.Properties.Get(name); ok {
			property.Description = text
		}
	}
}

func unique(values []any) []any {
	var out []any
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// stringsOf converts values to the type that the library requires.
func stringsOf[T ~string](values ...T) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// ref returns a reference to a definition.
func ref(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/$defs/" + name}
}

// tagged inserts a member with the constant value tag before an object's own members.
func tagged(def *jsonschema.Schema, key, tag string) {
	properties := jsonschema.NewProperties()
	properties.Set(key, &jsonschema.Schema{Type: "string", Const: tag})
	for p := def.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Key != key {
			properties.Set(p.Key, p.Value)
		}
	}
	def.Properties = properties
	def.Required = append([]string{key}, slices.DeleteFunc(def.Required, func(name string) bool { return name == key })...)
}

// member is a member of a hand-written object.
type member struct {
	name   string
	schema *jsonschema.Schema
}

// object builds an object whose members are all required.
func object(members ...member) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties()}
	for _, m := range members {
		s.Properties.Set(m.name, m.schema)
		s.Required = append(s.Required, m.name)
	}
	return s
}

// constant returns a string type with a single value.
func constant(value string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Const: value}
}
