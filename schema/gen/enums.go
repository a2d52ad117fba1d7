package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/app/config"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A namedEnum is a set of strings with its own definition, so that code generators create
// one named type for it.
type namedEnum struct {
	name   string
	values []any
}

var toolKind = namedEnum{"ToolKind", stringsOf(v1.ToolKinds...)}

// nativeEnums are the enums of events and commands.
var nativeEnums = []namedEnum{
	toolKind,
	{"Decision", stringsOf(agent.AllowOnce, agent.AllowAlways, agent.RejectOnce, agent.RejectAlways, agent.NotDecided)},
	{"ConfirmationOptionKind", stringsOf(agent.AllowOnce, agent.AllowAlways, agent.RejectOnce, agent.RejectAlways)},
	{"EditorAction", stringsOf(agent.EditorActions()...)},
	{"FieldType", stringsOf(
		agent.FieldString, agent.FieldNumber, agent.FieldInteger, agent.FieldBoolean, agent.FieldChoice, agent.FieldChoices)},
	{"FieldFormat", stringsOf("email", "uri", "date", "date-time")},
	{"ConfigOptionKind", stringsOf(agent.Select, agent.Boolean)},
	{"ContentType", stringsOf("text", "image", "audio", "resource_link", "resource")},
	{"PlanEntryStatus", stringsOf("pending", "in_progress", "completed", "cancelled")},
	{"PlanEntryPriority", stringsOf("high", "medium", "low")},
	{"NoticeSeverity", stringsOf("info", "warning", "error")},
	{"CompactionStatus", stringsOf("in_progress", "completed", "failed", "cancelled")},
	{"Audience", stringsOf(agent.ForUser, agent.ForInternal, agent.ForDashboard)},
	{"OutputStream", stringsOf("stdout", "stderr")},
	{"StopReason", stringsOf(
		agent.StopEndTurn, agent.StopMaxTokens, agent.StopMaxTurnRequests, agent.StopRefusal, agent.StopCancelled)},
	{"SystemPromptMode", stringsOf("append", "override")},
	{"Role", stringsOf(agent.RoleUser, agent.RoleAgent)},
}

// acpEnums are the enums of ACP version 1, by their official names if they have one. The
// official schema has the others inline, because they distinguish the branches of a
// union.
var acpEnums = []namedEnum{
	toolKind,
	{"ToolCallStatus", enums[reflect.TypeFor[v1.ToolCallStatus]()]},
	{"PermissionOptionKind", enums[reflect.TypeFor[v1.PermissionOptionKind]()]},
	{"StopReason", enums[reflect.TypeFor[v1.StopReason]()]},
	{"SystemPromptMode", enums[reflect.TypeFor[v1.SystemPromptMode]()]},
	{"PlanEntryPriority", enums[reflect.TypeFor[v1.PlanEntryPriority]()]},
	{"PlanEntryStatus", enums[reflect.TypeFor[v1.PlanEntryStatus]()]},
	{"NoticeSeverity", stringsOf("info", "warning", "error")},
	{"CompactionStatus", stringsOf("in_progress", "completed", "failed", "cancelled")},
	{"StringFormat", stringsOf("date", "date-time", "email", "uri")},

	{"ElicitationMode", stringsOf(v1.ElicitForm, v1.ElicitURL)},
	{"ElicitationPropertyType", stringsOf("string", "number", "integer", "boolean", "array")},
	{"PlanUpdateContentType", enums[reflect.TypeFor[v1.PlanType]()]},
	{"RequestPermissionOutcomeKind", stringsOf(v1.OutcomeSelected, v1.OutcomeCancelled)},
	{"SessionConfigOptionType", stringsOf(v1.ConfigSelect, v1.ConfigBoolean)},
	{"StateUpdateState", enums[reflect.TypeFor[v1.SubagentWork]()]},
	{"StateUpdateStopReason", enums[reflect.TypeFor[v1.SubagentStop]()]},
}

// configEnums returns the enums of the configuration.
func configEnums() []namedEnum {
	return []namedEnum{toolKind, {"Dialect", dialectNames()}, {"PolicyDefault", []any{"ask", "deny"}}, {"NotifyEvent", []any{config.NotifyWaits, config.NotifyEnded, config.NotifyFailed}}}
}

// nameEnums replaces the enums in the members of definitions with references. That
// includes the items of lists, and members that may be null. An enum without a name is an
// error.
func nameEnums(defs jsonschema.Definitions, enums []namedEnum) error {
	for _, at := range slices.Sorted(maps.Keys(defs)) {
		def := defs[at]
		if def.Properties == nil {
			continue
		}
		for p := def.Properties.Oldest(); p != nil; p = p.Next() {
			holder := p.Value
			if len(holder.OneOf) == 2 && holder.OneOf[1].Type == "null" {
				holder = holder.OneOf[0]
			}
			for holder.Items != nil {
				holder = holder.Items
			}
			if holder.Type != "string" || len(holder.Enum) < 2 {
				continue
			}
			i := slices.IndexFunc(enums, func(e namedEnum) bool { return slices.Equal(e.values, holder.Enum) })
			if i < 0 {
				return fmt.Errorf("the enum %v of %s.%s has no name", holder.Enum, at, p.Key)
			}
			if old, ok := defs[enums[i].name]; ok && !slices.Equal(old.Enum, holder.Enum) {
				return fmt.Errorf("%s is both an enum and another definition", enums[i].name)
			}
			defs[enums[i].name] = &jsonschema.Schema{Type: "string", Enum: slices.Clone(holder.Enum)}
			*holder = jsonschema.Schema{Ref: ref(enums[i].name).Ref, Description: holder.Description}
		}
	}
	return nil
}

// wrapRefs moves the reference of each member that also has a description into an allOf,
// because some generators treat the combination as a different type.
func wrapRefs(defs jsonschema.Definitions) {
	for _, def := range defs {
		if def.Properties == nil {
			continue
		}
		for p := def.Properties.Oldest(); p != nil; p = p.Next() {
			if m := p.Value; m.Ref != "" && m.Description != "" {
				m.AllOf, m.Ref = []*jsonschema.Schema{{Ref: m.Ref}}, ""
			}
		}
	}
}
