package main

import (
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/turnwire/turnwire/agent/dialects"
	"github.com/turnwire/turnwire/internal/app/config"
)

// configFile returns the schema of turnwire.json. The members of an agent
// depend on its type, according to the table of types.
func configFile() (*jsonschema.Schema, error) {
	ts := newTypes()
	ts.custom[reflect.TypeFor[config.Secret]()] = func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string"}
	}
	ts.custom[reflect.TypeFor[config.Duration]()] = func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`, Examples: []any{"30s", "1m30s"}}
	}
	root, err := ts.add(reflect.TypeFor[config.File]())
	if err != nil {
		return nil, err
	}
	agent := ts.defs["Agent"]
	kind, _ := agent.Properties.Get("type")
	dialect, _ := agent.Properties.Get("dialect")
	dialect.Enum = dialectNames()
	for _, t := range config.Types() {
		kind.OneOf = append(kind.OneOf, &jsonschema.Schema{Const: t.Name, Description: t.Doc})
		agent.AllOf = append(agent.AllOf, ofType(agent, t))
	}
	agents, _ := root.Properties.Get("agents")
	agents.PropertyNames = &jsonschema.Schema{Pattern: config.AgentName}
	for _, def := range ts.defs {
		def.AdditionalProperties = jsonschema.FalseSchema
	}
	if err := nameEnums(ts.defs, configEnums()); err != nil {
		return nil, err
	}
	wrapRefs(ts.defs)
	return &jsonschema.Schema{
		Title:       "Turnwire configuration",
		Description: "The file turnwire.json, which names further agents. Comments and trailing commas are welcome in it.",
		Ref:         "#/$defs/File",
		Definitions: ts.defs,
	}, nil
}

// dialectNames lists what a dialect may be called.
func dialectNames() []any {
	names := []any{"auto"}
	for _, d := range dialects.All() {
		names = append(names, d.Name)
	}
	return names
}

// ofType says which members agents of one type must have, and which they cannot
// have.
func ofType(agent *jsonschema.Schema, t config.Type) *jsonschema.Schema {
	is := object(member{"type", &jsonschema.Schema{Const: t.Name}})
	then := &jsonschema.Schema{Required: slices.Clone(t.Required), Properties: jsonschema.NewProperties()}
	for p := agent.Properties.Oldest(); p != nil; p = p.Next() {
		switch {
		case slices.Contains(t.Required, p.Key):
			then.Properties.Set(p.Key, jsonschema.TrueSchema)
		case !t.Has(p.Key):
			then.Properties.Set(p.Key, jsonschema.FalseSchema)
		}
	}
	return &jsonschema.Schema{If: is, Then: then}
}
