package setup

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DefaultName is how an agent is called that has no other name.
const DefaultName = "Turnwire"

// An Agent is what an editor is to launch.
type Agent struct {
	Name    string   // as people see it in the editor
	Command string   // an absolute path; "" where what is in a file cannot be read
	Args    []string // such as acp, --agent, ethos
}

// Check says whether an agent can stand in settings. Some editors' settings
// are programs, in which a control character is a trap.
func (a Agent) Check() error {
	if strings.TrimSpace(a.Name) == "" {
		return fmt.Errorf("the agent needs a name")
	}
	for _, text := range append([]string{a.Name, a.Command}, a.Args...) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q is no UTF-8 text: settings have no place for it", text)
		}
		if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			return fmt.Errorf("%q holds a character that cannot be seen: settings have no place for it", text)
		}
	}
	return nil
}

// ids are the names as programs call them, each another: names that are alike
// get a number.
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

// id is the name as programs call it: small letters, digits and single
// hyphens. It begins with our own name: editors have agents of theirs, and one
// whose identifier is taken would not be offered.
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
