package model

import (
	"encoding/json"
	"slices"
	"strings"
)

// A tool is one that a request offers.
type tool struct {
	name   string
	schema schema
}

// A schema is the relevant part of a tool's JSON Schema. Google's API has types in
// capitals.
type schema struct {
	Type       any               `json:"type"`
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Enum       []any             `json:"enum"`
}

// A call is a call of a tool.
type call struct {
	id   string
	name string
	args map[string]any
}

// text returns the arguments as JSON.
func (c *call) text() string {
	text, _ := json.Marshal(c.args) //nolint:errchkjson // maps of plain values
	return string(text)
}

// shells are the names of agents' tools that run a command, in lower case.
var shells = []string{
	"bash", "shell", "shell_command", "exec_command", "run_shell_command", "execute_command", "run_command", "run_commands",
	"terminal", "developer__shell", "execute", "run_terminal_command",
}

// commands are the names of the argument that holds the command.
var commands = []string{"command", "cmd", "commands"}

// create returns a call that creates an empty file, or nil if no known tool can.
func create(tools []tool, file string) *call {
	for _, name := range shells {
		if c := find(tools, name, commands, "touch "+file); c != nil {
			return c
		}
	}
	return find(tools, "write_file", []string{"path"}, file)
}

// find returns a call of the tool with this name, or nil if it isn't offered, or has none
// of these arguments. The first of them that it has gets the value.
func find(tools []tool, name string, arguments []string, value string) *call {
	for _, t := range tools {
		if strings.ToLower(t.name) != name {
			continue
		}
		for _, argument := range arguments {
			if s, ok := t.schema.Properties[argument]; ok {
				args := t.schema.required()
				args[argument] = s.words(argument, value)
				// Codex only asks if the model wants to leave the sandbox.
				if _, ok := t.schema.Properties["sandbox_permissions"]; ok {
					args["sandbox_permissions"], args["justification"] = "require_escalated", "Create a file"
				}
				return &call{name: t.name, args: args}
			}
		}
	}
	return nil
}

// words returns a command as the schema wants it: a text, a list of commands, or a list
// of words.
func (s schema) words(name, command string) any {
	switch {
	case !s.is("array"):
		return command
	case name == "commands":
		return []string{command}
	}
	return []string{"bash", "-lc", command}
}

// required returns some value for each required argument.
func (s schema) required() map[string]any {
	args := map[string]any{}
	for _, name := range s.Required {
		args[name] = s.Properties[name].value()
	}
	return args
}

// value returns some value that the schema accepts.
func (s schema) value() any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.is("boolean"):
		return false
	case s.is("integer"), s.is("number"):
		return 10
	case s.is("array"):
		return []any{}
	case s.is("object"):
		return map[string]any{}
	}
	return "Create a file"
}

// is reports whether the schema allows a type.
func (s schema) is(name string) bool {
	list, _ := s.Type.([]any)
	return slices.ContainsFunc(append(list, s.Type), func(t any) bool {
		text, _ := t.(string)
		return strings.EqualFold(text, name)
	})
}
