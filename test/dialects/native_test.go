package dialects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/schema"
)

// A definition is a part of the event schema.
type definition struct {
	Ref         string          `json:"$ref"`
	AllOf       []definition    `json:"allOf"`
	Description string          `json:"description"`
	Type        string          `json:"type"`
	Const       string          `json:"const"`
	Enum        []string        `json:"enum"`
	Items       json.RawMessage `json:"items"`
	Properties  json.RawMessage `json:"properties"`
	Required    []string        `json:"required"`
	OneOf       []definition    `json:"oneOf"`
}

// native describes each event of the native dialect from its schema, with an
// example line from the stream that contains every event, followed by the objects
// in events.
func native(t *testing.T) string {
	t.Helper()
	text := inlined(t)
	var root struct {
		Defs  map[string]definition `json:"$defs"`
		OneOf []definition          `json:"oneOf"`
	}
	require.NoError(t, json.Unmarshal(text, &root))
	lines := examples(t)
	require.Len(t, root.OneOf, len(agent.Variants()))

	var out strings.Builder
	shown := map[string]bool{}
	for _, one := range root.OneOf {
		name := strings.TrimPrefix(one.Ref, "#/$defs/")
		shown[name] = true
		d := root.Defs[name]
		kind := member(t, d, "type").Const
		require.Contains(t, lines, kind, "no line of every-event.jsonl is an example")
		fmt.Fprintf(&out, "\n### `%s`\n\n%s\n\n", kind, d.Description)
		out.WriteString(members(t, d))
		fmt.Fprintf(&out, "```json\n%s\n```\n", lines[kind])
	}
	out.WriteString("\n## Objects in events\n")
	for _, name := range keys(t, mustField(t, text, "$defs")) {
		if !shown[name] && len(root.Defs[name].Enum) == 0 {
			fmt.Fprintf(&out, "\n### Object %s\n\n%s", name, members(t, root.Defs[name]))
		}
	}
	out.WriteString("\n")
	return strings.ReplaceAll(out.String(), "\n\n\n", "\n\n")
}

// inlined returns the event schema with an enum's values inserted wherever it
// refers to the enum, so that readers see them.
func inlined(t *testing.T) []byte {
	t.Helper()
	text, err := schema.Read(schema.AgentEvent)
	require.NoError(t, err)
	var root struct {
		Defs map[string]definition `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &root))
	for name, d := range root.Defs {
		if len(d.Enum) == 0 {
			continue
		}
		values, err := json.Marshal(d.Enum)
		require.NoError(t, err)
		enum := fmt.Sprintf(`"enum":%s`, values)
		pattern := regexp.MustCompile(`"allOf": \[\s*\{\s*"\$ref": "#/\$defs/` + name + `"\s*\}\s*\]|"\$ref": "#/\$defs/` + name + `"`)
		text = pattern.ReplaceAllLiteral(text, []byte(enum))
	}
	return text
}

// examples returns the first line of each type.
func examples(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "conformance", "every-event.jsonl"))
	require.NoError(t, err)
	found := map[string]string{}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Type string `json:"type"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &e))
		if _, ok := found[e.Type]; !ok {
			found[e.Type] = strings.TrimSpace(line)
		}
	}
	return found
}

// members returns the table of an object's members, required ones first, without
// those that every event has.
func members(t *testing.T, d definition) string {
	t.Helper()
	var rows []string
	for _, required := range []bool{true, false} {
		for _, name := range keys(t, d.Properties) {
			if name == "type" && member(t, d, name).Const != "" || name == "turnId" || slices.Contains(d.Required, name) != required {
				continue
			}
			needed := ""
			if required {
				needed = "required"
			}
			m := member(t, d, name)
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |\n", name, kindOf(t, m), needed, m.Description))
		}
	}
	if len(rows) == 0 {
		return ""
	}
	return "| member | type | | meaning |\n|---|---|---|---|\n" + strings.Join(rows, "") + "\n"
}

// kindOf describes the values of a member.
func kindOf(t *testing.T, d definition) string {
	t.Helper()
	if len(d.AllOf) > 0 {
		d.Ref = d.AllOf[0].Ref
	}
	switch name := strings.TrimPrefix(d.Ref, "#/$defs/"); {
	case name != "":
		return fmt.Sprintf("[%s](#object-%s)", name, strings.ToLower(name))
	case len(d.OneOf) > 0:
		var kinds []string
		for _, one := range d.OneOf {
			kinds = append(kinds, kindOf(t, one))
		}
		return strings.Join(kinds, " or ")
	case len(d.Enum) > 0:
		return "`" + strings.Join(d.Enum, "`, `") + "`"
	case d.Type == "array":
		var items definition
		require.NoError(t, json.Unmarshal(d.Items, &items))
		return "list of " + kindOf(t, items)
	case d.Type == "":
		return "any JSON"
	}
	return d.Type
}

func member(t *testing.T, d definition, name string) definition {
	t.Helper()
	raw := mustField(t, d.Properties, name)
	if string(raw) == "true" {
		return definition{}
	}
	var m definition
	require.NoError(t, json.Unmarshal(raw, &m), "%s", raw)
	return m
}

func mustField(t *testing.T, object json.RawMessage, name string) json.RawMessage {
	t.Helper()
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(object, &fields))
	require.Contains(t, fields, name)
	return fields[name]
}

// keys returns the names of an object's members, in order.
func keys(t *testing.T, object json.RawMessage) (names []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		names = append(names, name.(string))
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
	}
	return names
}
