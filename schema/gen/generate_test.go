package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/schema"
)

func TestCommittedSchemasMatchTheTypes(t *testing.T) {
	require.ElementsMatch(t, schema.Names(), slices.Collect(maps.Keys(generators)))
	for _, name := range schema.Names() {
		committed, err := schema.Read(name)
		require.NoError(t, err)
		generated, err := generate(name)
		require.NoError(t, err)
		require.Equal(t, string(generated), string(committed), "%s is stale: run make generate", name)
	}
}

func TestCommittedTypesOfOtherLanguagesMatchTheSchemas(t *testing.T) {
	v, err := newVocabulary()
	require.NoError(t, err)
	for path, types := range sdks {
		committed, err := os.ReadFile(filepath.Join("..", path))
		require.NoError(t, err)
		require.Equal(t, types(v), string(committed), "%s is stale: run make generate", path)
	}
}

func TestEveryReferenceResolvesAndEveryDefinitionIsReached(t *testing.T) {
	for _, name := range schema.Names() {
		root := load(t, name)
		defs := root["$defs"].(map[string]any)
		reached := map[string]bool{}
		walk(root, func(object map[string]any) {
			target, ok := object["$ref"].(string)
			if !ok {
				return
			}
			key, ok := strings.CutPrefix(target, "#/$defs/")
			require.True(t, ok, "%s: %s", name, target)
			require.Contains(t, defs, key, "%s: %s leads nowhere", name, target)
			reached[key] = true
		})
		for key := range defs {
			require.NotContains(t, key, "/", "a JSON pointer would break")
			// The root's twin is for tools that support discriminators.
			require.True(t, reached[key] || key+"Strict" == root["title"], "%s: nothing refers to %s", name, key)
		}
	}
}

func TestEveryEventAndCommandHasItsBranchInOrder(t *testing.T) {
	var events []string
	for _, v := range agent.Variants() {
		events = append(events, v.New().Type())
	}
	require.Equal(t, events, branchTags(t, schema.AgentEvent))
	require.Equal(t,
		[]string{agent.CommandSession, agent.CommandPrompt, agent.CommandSteer, agent.CommandCancel, agent.CommandConfirmation, agent.CommandQuestion, agent.CommandEditor, agent.CommandTool, agent.CommandSetOption},
		branchTags(t, schema.AgentCommand))
}

func TestEveryBranchSaysWhatItIsFor(t *testing.T) {
	for _, name := range []string{schema.AgentEvent, schema.AgentCommand} {
		for _, def := range branches(t, name) {
			require.NotEmpty(t, def["description"], "%s: %v", name, def)
		}
	}
}

func TestDescriptionsKeepTheTextAfterAComma(t *testing.T) {
	prompt := load(t, schema.AgentCommand)["$defs"].(map[string]any)["PromptCommand"].(map[string]any)
	cwd := prompt["properties"].(map[string]any)["cwd"].(map[string]any)
	require.Equal(t, "The session's working directory, absolute.", cwd["description"])
}

// TypeScript globals, and names that every Python or Rust program has, would hide or be
// hidden by a generated type.
func TestNoDefinitionIsNamedLikeAGlobal(t *testing.T) {
	globals := []string{
		"Error", "Event", "Notification", "Location", "Option", "Plan", "Request", "Response", "Text", "Comment", "Range",
		"Exception", "Warning", "Any", "Field", "Enum", "Literal", "Result", "String", "Box", "Vec", "Some", "None", "Ok", "Err", "Self", "Content", "Command",
	}
	for _, name := range []string{schema.AgentEvent, schema.AgentEventStrict, schema.AgentCommand, schema.AgentCommandStrict} {
		for def := range load(t, name)["$defs"].(map[string]any) {
			require.NotContains(t, globals, def, name)
		}
	}
}

func TestEventsAndCommandsAreNamedAfterTheirTypes(t *testing.T) {
	for name, suffix := range map[string]string{schema.AgentEvent: "Event", schema.AgentCommand: "Command"} {
		tags := branchTags(t, name)
		for i, branch := range load(t, name)["oneOf"].([]any) {
			require.Equal(t, "#/$defs/"+camel(tags[i])+suffix, branch.(map[string]any)["$ref"])
		}
	}
}

// A closed variant differs from the open one only in its root and in being closed.
func TestClosedAndOpenVariantsHaveTheSameDefinitions(t *testing.T) {
	for open, closed := range map[string]string{schema.AgentEvent: schema.AgentEventStrict, schema.AgentCommand: schema.AgentCommandStrict} {
		theirs := load(t, closed)["$defs"].(map[string]any)
		for name, def := range load(t, open)["$defs"].(map[string]any) {
			strict := theirs[name].(map[string]any)
			if strict["type"] == "object" {
				require.Equal(t, false, strict["additionalProperties"], name)
				delete(strict, "additionalProperties")
			}
			require.Equal(t, def, strict, name)
		}
	}
}

func TestEnumsListEachValueOnce(t *testing.T) {
	for _, name := range schema.Names() {
		walk(load(t, name), func(object map[string]any) {
			values, ok := object["enum"].([]any)
			if !ok {
				return
			}
			seen := map[any]bool{}
			for _, v := range values {
				require.False(t, seen[v], "%s: %v in %v", name, v, values)
				seen[v] = true
			}
		})
	}
}

// load returns the committed schema as plain values.
func load(t *testing.T, name string) map[string]any {
	t.Helper()
	text, err := schema.Read(name)
	require.NoError(t, err)
	var root map[string]any
	require.NoError(t, json.Unmarshal(text, &root))
	return root
}

// branches lists the definitions that the schema's union refers to.
func branches(t *testing.T, name string) []map[string]any {
	t.Helper()
	root := load(t, name)
	var out []map[string]any
	for _, branch := range root["oneOf"].([]any) {
		target := branch.(map[string]any)["$ref"].(string)
		out = append(out, root["$defs"].(map[string]any)[strings.TrimPrefix(target, "#/$defs/")].(map[string]any))
	}
	return out
}

func branchTags(t *testing.T, name string) []string {
	t.Helper()
	var tags []string
	for _, def := range branches(t, name) {
		tag := def["properties"].(map[string]any)["type"].(map[string]any)
		tags = append(tags, tag["const"].(string))
	}
	return tags
}

// walk calls visit for each schema object below v. A property may itself be called enum
// or $ref, so walk skips the names of properties.
func walk(v any, visit func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(v)
		for key, child := range v {
			if key != "properties" && key != "$defs" {
				walk(child, visit)
				continue
			}
			for _, named := range child.(map[string]any) {
				walk(named, visit)
			}
		}
	case []any:
		for _, child := range v {
			walk(child, visit)
		}
	}
}
