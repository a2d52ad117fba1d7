package setup

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultName is the name of an agent if the user doesn't choose one.
const DefaultName = "Turnwire"

// An Agent is an entry in an editor's settings.
type Agent struct {
	Name    string   // as shown by the editor
	Command string   // an absolute path; "" if the entry can't be parsed
	Args    []string // such as acp, --agent, ethos
}

// Check validates an agent before it is written to settings. The settings of some
// editors are programs, in which a control character is dangerous.
func (a Agent) Check() error {
	if strings.TrimSpace(a.Name) == "" {
		return fmt.Errorf("the agent needs a name")
	}
	for _, text := range append([]string{a.Name, a.Command}, a.Args...) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q is not UTF-8 text and cannot be written to the settings", text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			return fmt.Errorf("%q contains an invisible character and cannot be written to the settings", text)
		}
	}
	return nil
}

// ids returns an identifier for each agent. Duplicates get a number.
func ids(agents []Agent) []string {
	taken := make(map[string]bool)
	out := make([]string, len(agents))
	for i, a := range agents {
		id := a.id()
		for n := 2; taken[id]; n++ {
			id = fmt.Sprintf("%s-%d", a.id(), n)
		}
		taken[id] = true
		out[i] = id
	}
	return out
}

// id converts the agent's name to an identifier: lower-case letters, digits and single
// hyphens. It begins with our own name, because editors have built-in agents and would
// not offer another one with the same identifier.
func (a Agent) id() string {
	var id strings.Builder
	for _, r := range strings.ToLower(a.Name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			id.WriteRune(r)
		case id.Len() > 0 && !strings.HasSuffix(id.String(), "-"):
			id.WriteByte('-')
		}
	}
	s := strings.Trim(id.String(), "-")
	switch {
	case s == "":
		return prefix
	case s == prefix, strings.HasPrefix(s, prefix+"-"):
		return s
	}
	return prefix + "-" + s
}

const prefix = "turnwire"
