package main

import (
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// refine adds rules that the Go types only document.
func (ts *types) refine() error {
	ts.defs["McpServer"] = object(member{"name", &jsonschema.Schema{Type: "string"}})

	// One set of fields serves both types. Only an update may omit the title, and only in
	// an update null is a valid value, which means "unchanged".
	call, update := ts.defs["ToolCall"], ts.defs["ToolCallUpdate"]
	call.Required = append(call.Required, "title")
	for _, name := range []string{"title", "kind", "status", "content", "locations"} {
		if err := makeNullable(update, name); err != nil {
			return err
		}
	}

	resource := ts.defs["EmbeddedResourceResource"]
	text := &jsonschema.Schema{Type: "string"}
	resource.AnyOf = []*jsonschema.Schema{object(member{"text", text}), object(member{"blob", text})}

	for _, t := range []reflect.Type{
		reflect.TypeFor[v1.RequestPermissionResponse](), reflect.TypeFor[v1.ElicitationRequest](), reflect.TypeFor[v1.ElicitationProperty](),
	} {
		if _, err := ts.add(t); err != nil {
			return err
		}
	}
	outcome := ts.defs["RequestPermissionOutcome"]
	outcome.AnyOf = []*jsonschema.Schema{
		object(member{"outcome", constant(v1.OutcomeSelected)}, member{"optionId", &jsonschema.Schema{Type: "string"}}),
		object(member{"outcome", constant(v1.OutcomeCancelled)}),
	}
	elicitation := ts.defs["CreateElicitationRequest"]
	elicitation.AnyOf = []*jsonschema.Schema{
		object(member{"mode", constant(v1.ElicitForm)}, member{"requestedSchema", ref("ElicitationSchema")}),
		object(member{"mode", constant(v1.ElicitURL)},
			member{"elicitationId", &jsonschema.Schema{Type: "string"}}, member{"url", &jsonschema.Schema{Type: "string"}}),
	}
	for _, v := range []struct {
		def, property string
		values        []any
	}{
		{"RequestPermissionOutcome", "outcome", stringsOf(v1.OutcomeSelected, v1.OutcomeCancelled)},
		{"Notice", "severity", stringsOf("info", "warning", "error")},
		{"CompactionUpdate", "status", stringsOf("in_progress", "completed", "failed", "cancelled")},
		{"ElicitationPropertySchema", "type", stringsOf("string", "number", "integer", "boolean", "array")},
	} {
		property, ok := ts.defs[v.def].Properties.Get(v.property)
		if !ok {
			return fmt.Errorf("%s has no %s", v.def, v.property)
		}
		property.Enum = v.values
	}
	return nil
}

func makeNullable(def *jsonschema.Schema, name string) error {
	property, ok := def.Properties.Get(name)
	if !ok {
		return fmt.Errorf("there is no %s to make nullable", name)
	}
	def.Properties.Set(name, &jsonschema.Schema{OneOf: []*jsonschema.Schema{property, {Type: "null"}}})
	return nil
}
