package consent

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Call is a tool call that an agent wants permission for, as the agent
// describes it.
type Call struct {
	Agent   string   // its key in the journal
	Session string   // as the editor knows it
	Dir     string   // the session's folder, absolute
	ID      string   // of the tool call, as the editor knows it
	Tool    string   // its name; "" where the agent does not say it
	Kind    string   // as ACP names it; "other" where the agent does not say it
	Paths   []string // absolute
	Command string   // that is executed
}

// DefaultKind is that of a call of which the agent says none.
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

// special are the characters for which an argument is put into quotation marks.
const special = " \t\n\r\"'\\$`&|;<>(){}*?[]#~!^%"

// Command is the command in the arguments of a call, or "". Of a list each
// argument is quoted that a shell would not take as it is.
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
