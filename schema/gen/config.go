package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/app/config"
)

// configFile returns the schema of turnwire.json. The members of an agent depend on its
// type, according to the table of types. Each type is a separate object, because not
// every code generator supports if and then.
func configFile() (*jsonschema.Schema, error) {
	ts := newTypes()
	ts.custom[reflect.TypeFor[config.Secret]()] = func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string"}
	}
	ts.custom[reflect.TypeFor[config.Offer]()] = func() *jsonschema.Schema {
		names := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "boolean"}, names}}
	}
	ts.custom[reflect.TypeFor[config.Duration]()] = func() *jsonschema.Schema {
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`, Examples: []any{"30s", "1m30s"}}
	}
	root, err := ts.add(reflect.TypeFor[config.File]())
	if err != nil {
		return nil, err
	}
	agent := ts.defs["Agent"]
	dialect, _ := agent.Properties.Get("dialect")
	dialect.Enum = dialectNames()
	split(ts.defs, "Agent", "Agent", "An agent.", config.Types())
	split(ts.defs, "NotifyTarget", "Target", "A target of notifications.", config.NotifyTypes())
	ts.defs["Rule"] = rules(ts.defs, ts.defs["Rule"])
	agents, _ := root.Properties.Get("agents")
	agents.PropertyNames = &jsonschema.Schema{Pattern: config.AgentName}
	for _, def := range ts.defs {
		if def.Properties != nil {
			def.AdditionalProperties = jsonschema.FalseSchema
		}
	}
	if err := nameEnums(ts.defs, configEnums()); err != nil {
		return nil, err
	}
	wrapRefs(ts.defs)
	return &jsonschema.Schema{
		Title:       "Turnwire configuration",
		Description: "The configuration file turnwire.json. It may contain comments and trailing commas.",
		Ref:         "#/$defs/File",
		Definitions: ts.defs,
	}, nil
}

// rules returns the union of the rules for each verdict. Each verdict has its own
// definition, because a rule has exactly one verdict.
func rules(defs jsonschema.Definitions, rule *jsonschema.Schema) *jsonschema.Schema {
	verdicts := []string{"allow", "ask", "deny"}
	union := &jsonschema.Schema{Description: "A rule for tool calls."}
	for _, verdict := range verdicts {
		text, _ := rule.Properties.Get(verdict)
		text.MinLength = new(uint64(1))
		s := object(member{verdict, text})
		s.Required = []string{verdict}
		for p := rule.Properties.Oldest(); p != nil; p = p.Next() {
			if !slices.Contains(verdicts, p.Key) {
				s.Properties.Set(p.Key, p.Value)
			}
		}
		name := strings.ToUpper(verdict[:1]) + verdict[1:] + "Rule"
		defs[name] = s
		union.OneOf = append(union.OneOf, ref(name))
	}
	return union
}

// dialectNames returns the valid names of dialects.
func dialectNames() []any {
	names := []any{"auto"}
	for _, d := range dialects.All() {
		names = append(names, d.Name)
	}
	return names
}

// split replaces a definition with the union of the definitions for each type.
func split(defs jsonschema.Definitions, name, suffix, doc string, types []config.Type) {
	union := &jsonschema.Schema{Description: doc + " Its type determines the other members."}
	for _, t := range types {
		one := typeName(t.Name) + suffix
		defs[one] = ofType(defs[name], t)
		union.OneOf = append(union.OneOf, ref(one))
	}
	defs[name] = union
}

// ofType returns the schema for agents or targets of one type: their required and optional
// members, and no others.
func ofType(all *jsonschema.Schema, t config.Type) *jsonschema.Schema {
	s := object(member{"type", &jsonschema.Schema{Type: "string", Const: t.Name, Description: t.Doc}})
	s.Description = t.Doc
	s.Required = append(s.Required, t.Required...)
	for p := all.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Key != "type" && (slices.Contains(t.Required, p.Key) || t.Has(p.Key)) {
			s.Properties.Set(p.Key, p.Value)
		}
	}
	return s
}

// typeName returns a type's name in the name of a definition: AcpRemote for acp-remote.
func typeName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
