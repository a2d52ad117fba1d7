package main

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
	"github.com/sourcegraph/jsonrpc2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// acpV1 returns the schema of the ACP v1 messages that Turnwire writes and reads. Its
// definitions have the same names as in the official schema.
func acpV1() (*jsonschema.Schema, error) {
	ts := newACPv1Types()
	s := &jsonschema.Schema{
		Title: "Agent Client Protocol, version 1, as supported by Turnwire",
		Description: "One message between Turnwire (the agent) and an editor (the client). " +
			"A subset of the official schema, with the same names. " +
			"A client may send messages that are not listed here. Turnwire ignores unknown ones or answers with an error.",
	}
	for _, build := range []func(*types) error{
		(*types).blocks, (*types).toolContents, (*types).updates, (*types).configOptions, (*types).refine, (*types).messages,
	} {
		if err := build(ts); err != nil {
			return nil, err
		}
	}
	for _, side := range []string{"Agent", "Client"} {
		for _, sort := range []string{"Request", "Response", "Notification"} {
			s.AnyOf = append(s.AnyOf, ref(side+sort))
		}
	}
	if err := nameEnums(ts.defs, acpEnums); err != nil {
		return nil, err
	}
	wrapRefs(ts.defs)
	s.Definitions = ts.defs
	return s, nil
}

// officialNames maps types to their names in the official schema, if those differ.
var officialNames = map[reflect.Type]string{
	reflect.TypeFor[v1.TextBlock]():                 "TextContent",
	reflect.TypeFor[v1.ImageBlock]():                "ImageContent",
	reflect.TypeFor[v1.AudioBlock]():                "AudioContent",
	reflect.TypeFor[v1.ResourceContents]():          "EmbeddedResourceResource",
	reflect.TypeFor[v1.ContentItem]():               "Content",
	reflect.TypeFor[v1.DiffItem]():                  "Diff",
	reflect.TypeFor[v1.TerminalItem]():              "Terminal",
	reflect.TypeFor[v1.Location]():                  "ToolCallLocation",
	reflect.TypeFor[v1.MessageChunk]():              "ContentChunk",
	reflect.TypeFor[v1.PlanContent]():               "PlanUpdateContent",
	reflect.TypeFor[v1.SystemPromptCapabilities]():  "SessionSystemPromptCapabilities",
	reflect.TypeFor[v1.SystemPromptModes]():         "SessionSystemPromptModeCapabilities",
	reflect.TypeFor[v1.SubagentState]():             "StateUpdate",
	reflect.TypeFor[v1.CommandInput]():              "UnstructuredCommandInput",
	reflect.TypeFor[v1.ConfigOption]():              "SessionConfigOption",
	reflect.TypeFor[v1.ConfigChoice]():              "SessionConfigSelectOption",
	reflect.TypeFor[v1.ConfigGroup]():               "SessionConfigSelectGroup",
	reflect.TypeFor[v1.SetConfigOptionRequest]():    "SetSessionConfigOptionRequest",
	reflect.TypeFor[v1.SetConfigOptionResponse]():   "SetSessionConfigOptionResponse",
	reflect.TypeFor[v1.SetModeRequest]():            "SetSessionModeRequest",
	reflect.TypeFor[v1.SetModeResponse]():           "SetSessionModeResponse",
	reflect.TypeFor[v1.ConfigOptionsCapabilities](): "SessionConfigOptionsCapabilities",
	reflect.TypeFor[v1.MCPCapabilities]():           "McpCapabilities",
	reflect.TypeFor[v1.AuthMethod]():                "AuthMethodAgent",
	reflect.TypeFor[v1.PermissionOutcome]():         "RequestPermissionOutcome",
	reflect.TypeFor[v1.ElicitationRequest]():        "CreateElicitationRequest",
	reflect.TypeFor[v1.ElicitationResponse]():       "CreateElicitationResponse",
	reflect.TypeFor[v1.ElicitationProperty]():       "ElicitationPropertySchema",
	reflect.TypeFor[v1.ElicitationItems]():          "MultiSelectItems",
}

// enums lists the values of the named string types.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[v1.ToolKind](): stringsOf(v1.ToolKinds...),
	reflect.TypeFor[v1.ToolCallStatus](): stringsOf(
		v1.StatusPending, v1.StatusInProgress, v1.StatusCompleted, v1.StatusFailed),
	reflect.TypeFor[v1.PermissionOptionKind](): stringsOf(
		v1.AllowOnce, v1.AllowAlways, v1.RejectOnce, v1.RejectAlways),
	reflect.TypeFor[v1.StopReason](): stringsOf(
		v1.StopEndTurn, v1.StopMaxTokens, v1.StopMaxTurnRequests, v1.StopRefusal, v1.StopCancelled),
	reflect.TypeFor[v1.SubagentStop](): append(stringsOf(
		v1.StopMaxTokens, v1.StopMaxTurnRequests, v1.StopRefusal), stringsOf(v1.SubagentDone, v1.SubagentCancelled, v1.SubagentFailed)...),
	reflect.TypeFor[v1.SystemPromptMode](): stringsOf(v1.SystemPromptAppend, v1.SystemPromptOverride),
	reflect.TypeFor[v1.SubagentWork](): stringsOf(
		v1.SubagentRuns, v1.SubagentIdle, v1.SubagentWaits, v1.SubagentUnknown),
	reflect.TypeFor[v1.PlanType]():          stringsOf(v1.PlanItems, v1.PlanFile, v1.PlanMarkdown),
	reflect.TypeFor[v1.PlanEntryPriority](): stringsOf("high", "medium", "low"),
	reflect.TypeFor[v1.PlanEntryStatus]():   stringsOf("pending", "in_progress", "completed"),
}

func newACPv1Types() *types {
	ts := newTypes()
	ts.names, ts.values = officialNames, enums
	maps.Copy(ts.custom, map[reflect.Type]func() *jsonschema.Schema{
		reflect.TypeFor[v1.Meta]():          func() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} },
		reflect.TypeFor[v1.Block]():         func() *jsonschema.Schema { return ref("ContentBlock") },
		reflect.TypeFor[v1.Blocks]():        func() *jsonschema.Schema { return list("ContentBlock") },
		reflect.TypeFor[v1.ToolContent]():   func() *jsonschema.Schema { return ref("ToolCallContent") },
		reflect.TypeFor[v1.ToolContents]():  func() *jsonschema.Schema { return list("ToolCallContent") },
		reflect.TypeFor[v1.Update]():        func() *jsonschema.Schema { return ref("SessionUpdate") },
		reflect.TypeFor[jsonrpc2.ID]():      func() *jsonschema.Schema { return ref("RequestId") },
		reflect.TypeFor[v1.SubagentError](): func() *jsonschema.Schema { return ref("Error") },
		reflect.TypeFor[v1.MCPServers]():    func() *jsonschema.Schema { return list("McpServer") },
		reflect.TypeFor[v1.ConfigValue]():   configValue,
		reflect.TypeFor[v1.ConfigChoices](): configChoices,
		reflect.TypeFor[v1.ElicitationProperties](): func() *jsonschema.Schema {
			return &jsonschema.Schema{Type: "object", AdditionalProperties: ref("ElicitationPropertySchema")}
		},
	})
	return ts
}

func list(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: ref(name)}
}

func (ts *types) blocks() error {
	return union(ts, "ContentBlock", "type", v1.NewBlocks)
}

func (ts *types) toolContents() error {
	return union(ts, "ToolCallContent", "type", v1.NewToolContents)
}

func (ts *types) updates() error {
	return union(ts, "SessionUpdate", "sessionUpdate", v1.NewUpdates)
}

// union defines name as the union of the types that a list of constructors creates.
// Several tags may share a type, so the tag isn't part of the type's own definition.
func union[T any](ts *types, name, key string, variants []v1.Variant[T]) error {
	s := &jsonschema.Schema{}
	byTag := func(a, b v1.Variant[T]) int { return strings.Compare(a.Tag, b.Tag) }
	for _, v := range slices.SortedFunc(slices.Values(variants), byTag) {
		t := reflect.TypeOf(v.New()).Elem()
		if _, err := ts.add(t); err != nil {
			return err
		}
		branch := object(member{key, constant(v.Tag)})
		branch.AllOf = []*jsonschema.Schema{ref(ts.name(t))}
		s.OneOf = append(s.OneOf, branch)
	}
	ts.defs[name] = s
	return nil
}
