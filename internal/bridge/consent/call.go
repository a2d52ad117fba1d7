package consent

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Call is a tool call for which an agent wants permission, as the agent describes it.
type Call struct {
	Agent   string   // the agent's key in the journal
	Session string   // the editor's session id
	Dir     string   // the session's folder, absolute
	ID      string   // the editor's id for the tool call
	Tool    string   // the tool's name; "" if unknown
	Kind    string   // ACP's tool kind; "other" if unknown
	Paths   []string // absolute
	Command string   // the command to execute
}

// DefaultKind is the kind of a call whose kind is unknown.
const DefaultKind = "other"

// AddPath adds a path, which may be relative to the call's folder.
func (c *Call) AddPath(path string) {
	if path == "" {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	if len(c.Paths) < maxPaths && slices.Contains(c.Paths, path) {
		return
	}
	c.Paths = append(c.Paths, path)
}

// special are the characters that require quoting an argument.
const special = " \t\n\r\"'\\$`&|;<>(){}*?[]#~!^%"

// Command returns the command in a call's arguments, or "". If the command is a list,
// arguments that a shell would interpret are quoted.
func Command(arguments []byte) string {
	var input struct {
		Command json.RawMessage `json:"command"`
	}
	if len(arguments) == 0 || exactjson.Unmarshal(arguments, &input) != nil || len(input.Command) == 0 {
		return ""
	}
	var line string
	if exactjson.Unmarshal(input.Command, &line) == nil {
		return line
	}
	var words []string
	if exactjson.Unmarshal(input.Command, &words) != nil {
		return ""
	}
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, special) {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
