package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// A vocabulary describes the types of events and commands, in a form from which types in
// other languages are generated.
type vocabulary struct {
	enums   []enumType
	objects []objectType
	unions  []unionType
}

type enumType struct {
	name   string
	values []string
}

type objectType struct {
	name, doc string
	tag       string // the value of the member "type"; "" for an object that is part of another
	members   []memberType
}

// A unionType is a union of objects that are distinguished by their tags.
type unionType struct {
	name, doc string
	of        []string
}

type memberType struct {
	name, doc string
	required  bool
	value     valueType
}

// A valueType is the type of a value. kind is string, integer, number, boolean, any,
// object (with any members), option (a string or a boolean), list or named.
type valueType struct {
	kind string
	name string     // of an enum or an object
	item *valueType // of a list
}

// newVocabulary reads the schemas of events and commands.
func newVocabulary() (*vocabulary, error) {
	var v vocabulary
	seen := map[string]*jsonschema.Schema{}
	for _, open := range []func() (*jsonschema.Schema, error){agentEvent, agentCommand} {
		s, err := open()
		if err != nil {
			return nil, err
		}
		union := unionType{name: s.Title, doc: s.Description}
		var order []string
		for _, branch := range s.OneOf {
			name := strings.TrimPrefix(branch.Ref, "#/$defs/")
			union.of = append(union.of, name)
			order = append(order, name)
		}
		v.unions = append(v.unions, union)
		for _, name := range slices.Sorted(maps.Keys(s.Definitions)) {
			if !slices.Contains(union.of, name) {
				order = append(order, name)
			}
		}
		for _, name := range order {
			def := s.Definitions[name]
			if old, ok := seen[name]; ok {
				if !reflect.DeepEqual(old, def) {
					return nil, fmt.Errorf("events and commands have different definitions of %s", name)
				}
				continue
			}
			seen[name] = def
			if err := v.add(name, def); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return &v, nil
}

func (v *vocabulary) add(name string, def *jsonschema.Schema) error {
	if len(def.Enum) > 0 {
		e := enumType{name: name}
		for _, value := range def.Enum {
			e.values = append(e.values, value.(string))
		}
		v.enums = append(v.enums, e)
		return nil
	}
	o := objectType{name: name, doc: def.Description}
	for p := def.Properties.Oldest(); p != nil; p = p.Next() {
		if tag, ok := p.Value.Const.(string); ok {
			o.tag = tag
			continue
		}
		value, err := valueOf(p.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Key, err)
		}
		o.members = append(o.members, memberType{
			name: p.Key, doc: p.Value.Description, required: slices.Contains(def.Required, p.Key), value: value,
		})
	}
	v.objects = append(v.objects, o)
	return nil
}

func valueOf(s *jsonschema.Schema) (valueType, error) {
	switch {
	case s.Ref != "":
		return valueType{kind: "named", name: strings.TrimPrefix(s.Ref, "#/$defs/")}, nil
	case len(s.AllOf) == 1:
		return valueOf(s.AllOf[0])
	case len(s.OneOf) == 2:
		return valueType{kind: "option"}, nil
	case s.Type == "array":
		item, err := valueOf(s.Items)
		return valueType{kind: "list", item: &item}, err
	case s.Type == "":
		return valueType{kind: "any"}, nil
	case slices.Contains([]string{"string", "integer", "number", "boolean", "object"}, s.Type):
		return valueType{kind: s.Type}, nil
	}
	return valueType{}, fmt.Errorf("no type of other languages is known for a %s", s.Type)
}

const generatedNote = "Generated from schema/agent-event.schema.json and schema/agent-command.schema.json. Do not edit."

// sdks maps the emitters' files, relative to the folder schema, to their generators.
var sdks = map[string]func(*vocabulary) string{
	"../sdk/python/src/turnwire/events.py": pythonTypes,
	"../sdk/typescript/src/events.ts":      typescriptTypes,
	"../sdk/rust/src/events.rs":            rustTypes,
}
