package main

import (
	"errors"
	"maps"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/turnwire/turnwire/agent"
)

// agentEvent returns the schema of a line of an agent's output.
func agentEvent() (*jsonschema.Schema, error) {
	ts := newNativeTypes()
	s := &jsonschema.Schema{
		Title: "AgentEvent",
		Description: "One line that an agent prints to stdout. " +
			"Unlisted members are kept, and events of unlisted types are passed on unchanged.",
	}
	for _, variant := range agent.Variants() {
		event := variant.New()
		ts.names[reflect.TypeOf(event).Elem()] = camel(event.Type()) + "Event"
		if err := ts.variant(s, reflect.TypeOf(event).Elem(), event.Type(), variant.Doc); err != nil {
			return nil, err
		}
	}
	// An option that decides nothing can't be offered.
	kind, ok := ts.defs["ConfirmationOption"].Properties.Get("kind")
	if !ok {
		return nil, errors.New("a ConfirmationOption has no kind")
	}
	kind.Enum = stringsOf(agent.AllowOnce, agent.AllowAlways, agent.RejectOnce, agent.RejectAlways)
	return finish(s, ts)
}

// commandDocs describes each command.
var commandDocs = map[string]string{
	agent.CommandSession:      "Describes the session. Sent once, and only if the agent printed agent_info.",
	agent.CommandPrompt:       "Starts a turn. The agent ends it with the event done or a fatal error.",
	agent.CommandSteer:        "A message from the user for the running turn. Sent only if agent_info has steer. The agent prints steered once it has read it.",
	agent.CommandCancel:       "Cancels the turn. The agent ends it with the event done and the stopReason cancelled.",
	agent.CommandConfirmation: "Answers tool_confirmation_request.",
	agent.CommandQuestion:     "Answers question.",
	agent.CommandEditor:       "Answers editor_request.",
	agent.CommandTool:         "Answers tool_request.",
	agent.CommandSetOption:    "Sets an offered option. The agent reports the new value with mode_changed, model_changed or config_options, or refuses with option_refused.",
}

// agentCommand returns the schema of a line of an agent's input.
func agentCommand() (*jsonschema.Schema, error) {
	ts := newNativeTypes()
	s := &jsonschema.Schema{
		Title: "AgentCommand",
		Description: "One line that an agent reads from stdin. " +
			"An agent should ignore unknown commands and members. " +
			"It should exit when stdin ends.",
	}
	for _, command := range agent.Commands() {
		t := reflect.TypeOf(command)
		tag, err := commandType(t)
		if err != nil {
			return nil, err
		}
		ts.names[t] = camel(tag) + "Command"
		if err := ts.variant(s, t, tag, commandDocs[tag]); err != nil {
			return nil, err
		}
	}
	return finish(s, ts)
}

// finish adds the definitions that a schema's branches need.
func finish(s *jsonschema.Schema, ts *types) (*jsonschema.Schema, error) {
	if err := nameEnums(ts.defs, nativeEnums); err != nil {
		return nil, err
	}
	wrapRefs(ts.defs)
	s.Definitions = ts.defs
	return s, nil
}

// nativeNames replaces Go names that are unsuitable as types in TypeScript, Python or
// Rust.
var nativeNames = map[reflect.Type]string{
	reflect.TypeFor[agent.Command]():  "SlashCommand",
	reflect.TypeFor[agent.Content]():  "ContentBlock",
	reflect.TypeFor[agent.Diff]():     "FileDiff",
	reflect.TypeFor[agent.Field]():    "FormField",
	reflect.TypeFor[agent.Location](): "FileLocation",
	reflect.TypeFor[agent.Option]():   "ConfigOption",
	reflect.TypeFor[agent.Resource](): "EmbeddedResource",
	reflect.TypeFor[agent.Message]():  "HistoryEntry",
	reflect.TypeFor[agent.Variable](): "EnvironmentVariable",
}

// camel converts a name such as tool_start to ToolStart.
func camel(tag string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(tag, "_") {
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}

func newNativeTypes() *types {
	ts := newTypes()
	ts.names = maps.Clone(nativeNames)
	ts.values = map[reflect.Type][]any{
		reflect.TypeFor[agent.Decision](): stringsOf(
			agent.AllowOnce, agent.AllowAlways, agent.RejectOnce, agent.RejectAlways, agent.NotDecided),
		reflect.TypeFor[agent.EditorAction](): stringsOf(agent.EditorActions()...),
		reflect.TypeFor[agent.FieldType](): stringsOf(
			agent.FieldString, agent.FieldNumber, agent.FieldInteger, agent.FieldBoolean, agent.FieldChoice, agent.FieldChoices),
		reflect.TypeFor[agent.OptionKind](): stringsOf(agent.Select, agent.Boolean),
	}
	ts.custom[reflect.TypeFor[agent.Value]()] = configValue
	return ts
}
