package main

import (
	"reflect"

	"github.com/invopop/jsonschema"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func configValue() *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "boolean"}}}
}

// configChoices is a list of either options or groups, but not both.
func configChoices() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{list("SessionConfigSelectOption"), list("SessionConfigSelectGroup")}}
}

// configOptions defines the types of config options, which reflection doesn't find in
// their lists, and adds which members belong together.
func (ts *types) configOptions() error {
	for _, t := range []reflect.Type{reflect.TypeFor[v1.ConfigOption](), reflect.TypeFor[v1.ConfigGroup]()} {
		if _, err := ts.add(t); err != nil {
			return err
		}
	}
	chosen := object(
		member{"type", constant(v1.ConfigSelect)},
		member{"currentValue", &jsonschema.Schema{Type: "string"}},
		member{"options", configChoices()})
	switched := object(
		member{"type", constant(v1.ConfigBoolean)},
		member{"currentValue", &jsonschema.Schema{Type: "boolean"}})
	ts.defs["SessionConfigOption"].OneOf = []*jsonschema.Schema{chosen, switched}
	return nil
}
