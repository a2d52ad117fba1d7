package policy

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/suggest"
)

// A Rule is one rule in a file. Exactly one of Allow, Ask and Deny is set; the other
// members restrict it.
type Rule struct {
	Allow   string `json:"allow,omitempty" jsonschema:"description=Allows matching calls once. The value is a kind of call or *, optionally followed by a colon and a path pattern or a command."`
	Ask     string `json:"ask,omitempty" jsonschema:"description=Asks the user about matching calls. The value has the same format as in allow."`
	Deny    string `json:"deny,omitempty" jsonschema:"description=Refuses matching calls. The value has the same format as in allow."`
	Tool    string `json:"tool,omitempty" jsonschema:"description=The tool's name. A * matches any text."`
	Agent   string `json:"agent,omitempty" jsonschema:"description=The agent's name. A * matches any text."`
	Session string `json:"session,omitempty" jsonschema:"description=The session's id. A * matches any text."`
	Folder  string `json:"folder,omitempty" jsonschema:"description=The session's folder, as a pattern such as ~/work/**."`
}

// anything is the kind that matches all kinds.
const anything = "*"

// kinds are the kinds of calls defined by ACP.
var kinds = []string{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}

// CheckDefault validates a default verdict.
func CheckDefault(verdict string) error {
	if verdict != consent.Ask.String() && verdict != consent.Deny.String() {
		return fmt.Errorf("must be ask or deny, not %q", verdict)
	}
	return nil
}

// Check validates a rule.
func (r Rule) Check() error {
	_, err := r.entry()
	return err
}

func (r Rule) entry() (e entry, err error) {
	given := 0
	for verdict, text := range map[consent.Verdict]string{consent.Allow: r.Allow, consent.Ask: r.Ask, consent.Deny: r.Deny} {
		if text == "" {
			continue
		}
		given++
		e.verdict = verdict
		e.text = verdict.String() + " " + text
		if e.match, err = parse(text); err != nil {
			return e, err
		}
	}
	if given != 1 {
		return e, errors.New(`a rule needs exactly one of allow, ask and deny, such as {"allow": "edit:src/**"}`)
	}
	for _, only := range []struct{ name, pattern string }{{"tool", r.Tool}, {"agent", r.Agent}, {"session", r.Session}, {"folder", r.Folder}} {
		if only.pattern != "" {
			e.text += ", " + only.name + " " + only.pattern
		}
	}
	e.match.tool, e.match.agent, e.match.session = r.Tool, r.Agent, r.Session
	e.match.folder, err = folderPattern(r.Folder)
	return e, err
}

// folderPattern returns an absolute folder pattern.
func folderPattern(pattern string) (string, error) {
	if pattern == "" {
		return "", nil
	}
	pattern, err := expandHome(pattern)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(pattern) || !doublestar.ValidatePattern(filepath.ToSlash(pattern)) {
		return "", fmt.Errorf("the folder %q: the pattern must be absolute, or begin with ~/", pattern)
	}
	return pattern, nil
}

func parse(text string) (matcher, error) {
	kind, pattern, about := strings.Cut(strings.TrimSpace(text), ":")
	m := matcher{kind: kind, pattern: pattern}
	switch {
	case kind != anything && !slices.Contains(kinds, kind):
		hint := suggest.Hint(kind, kinds)
		if hint == "" {
			hint = "; the kinds are " + strings.Join(kinds, ", ")
		}
		return matcher{}, fmt.Errorf("%q: unknown kind %q%s", text, kind, hint)
	case about && pattern == "":
		return matcher{}, fmt.Errorf("%q: a pattern must follow the colon", text)
	case !about:
		return m, nil
	case kind == "execute":
		if before, _ := strings.CutSuffix(pattern, "*"); strings.Contains(before, "*") {
			return matcher{}, fmt.Errorf("%q: a command may only have a * at its end", text)
		}
	default:
		var err error
		if m.pattern, err = expandHome(pattern); err != nil {
			return matcher{}, err
		}
		if !doublestar.ValidatePattern(filepath.ToSlash(m.pattern)) {
			return matcher{}, fmt.Errorf("%q: invalid pattern", text)
		}
	}
	return m, nil
}

// Kinds returns the kinds of calls defined by ACP.
func Kinds() []string { return slices.Clone(kinds) }

// IsKind reports whether a kind of calls exists.
func IsKind(kind string) bool { return slices.Contains(kinds, kind) }
