package setup

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultName is the name of an agent for which the user chooses none.
const DefaultName = "Turnwire"

// An Agent is what an editor launches.
type Agent struct {
	Name    string   // the name that the editor shows
	Command string   // an absolute path; "" if the entry in a file cannot be understood
	Args    []string // such as acp, --agent, ethos
}

// Check reports whether an agent can be written to settings. The settings of
// some editors are programs, in which a control character is dangerous.
func (a Agent) Check() error {
	if strings.TrimSpace(a.Name) == "" {
		return fmt.Errorf("the agent needs a name")
	}
	for _, text := range append([]string{a.Name, a.Command}, a.Args...) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q is not UTF-8 text, and cannot be written to settings", text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			return fmt.Errorf("%q holds an invisible character, and cannot be written to settings", text)
		}
	}
	return nil
}

// ids returns an identifier for each agent. Agents whose identifiers would be
// the same get a number.
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

// id returns the agent's name as an identifier: small letters, digits and
// single hyphens. It begins with our own name, because editors have agents of
// their own and would not offer one whose identifier is taken.
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
