package main

import (
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// strict returns the closed variant of a schema from native.go. Unlisted members are
// errors, and the errors of an object only refer to the definition for its type.
//
// The root achieves that with if and then, which every validator supports. The definition
// named after the schema's title does the same with OpenAPI's discriminator, for
// validators and generators that support it. A validator that rejects foreign keywords
// never reaches that definition.
func strict(open *jsonschema.Schema) *jsonschema.Schema {
	defs := jsonschema.Definitions{}
	for name, def := range open.Definitions {
		closed := *def
		if closed.Properties != nil && closed.AdditionalProperties == nil {
			closed.AdditionalProperties = jsonschema.FalseSchema
		}
		defs[name] = &closed
	}
	s := &jsonschema.Schema{
		Title:       open.Title + "Strict",
		Description: closedNote,
		Definitions: defs,
	}
	types := &jsonschema.Schema{Type: "string"}
	for _, branch := range open.OneOf {
		def := defs[strings.TrimPrefix(branch.Ref, "#/$defs/")]
		kind, _ := def.Properties.Get("type")
		types.Enum = append(types.Enum, kind.Const)
		s.AllOf = append(s.AllOf, &jsonschema.Schema{If: object(member{"type", &jsonschema.Schema{Const: kind.Const}}), Then: branch})
	}
	name := open.Title + "Type"
	defs[name] = types
	root := object(member{"type", ref(name)})
	s.Type, s.Properties, s.Required = root.Type, root.Properties, root.Required

	// Each branch has and requires the type. Repeating it here would report two errors
	// for a wrong type.
	defs[open.Title] = &jsonschema.Schema{
		Type:        "object",
		Description: "The same union with a discriminator. Ajv needs the option discriminator for it.",
		OneOf:       slices.Clone(open.OneOf),
		Extras:      map[string]any{"discriminator": map[string]any{"propertyName": "type"}},
	}
	return s
}

const closedNote = "The closed variant, for tests: unlisted types and members are errors. Turnwire itself accepts them."
