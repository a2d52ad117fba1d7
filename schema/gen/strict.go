package main

import (
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// strict returns the closed variant of a schema that native made: a member that
// is not listed is an error, and what is wrong with one object is said of the
// definition that its type names, and of no other.
//
// The root gets there with if and then, which every validator understands. The
// definition that has the schema's title says the same with a discriminator,
// which is OpenAPI's, for validators and generators that know it. A validator
// that is strict about foreign keywords never gets to see that.
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

	// Each branch has and requires the type: to say it here too would make two
	// errors of a wrong one.
	defs[open.Title] = &jsonschema.Schema{
		Type:        "object",
		Description: "The same with a discriminator. In Ajv it needs the option discriminator.",
		OneOf:       slices.Clone(open.OneOf),
		Extras:      map[string]any{"discriminator": map[string]any{"propertyName": "type"}},
	}
	return s
}

const closedNote = "The closed variant, for tests: a type or a member that is not listed is an error. The wire is open."
