package policy

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A matcher matches calls. An empty field matches everything.
type matcher struct {
	kind                 string
	pattern              string
	tool, agent, session string
	folder               string
}

// miss returns why a call doesn't match, or "" if it does. whole is set for rules that
// allow: then the rule must match everything that the call affects.
func (m *matcher) miss(c consent.Call, whole bool) string {
	for _, only := range []struct{ what, pattern, value string }{
		{"agent", m.agent, agentOf(m.agent, c.Agent)}, {"session", m.session, c.Session}, {"tool", m.tool, c.Tool},
	} {
		switch {
		case only.pattern == "":
		case only.value == "":
			return "the " + only.what + " is unknown"
		case !like(only.pattern, only.value):
			return fmt.Sprintf("the %s is %s", only.what, only.value)
		}
	}
	if m.folder != "" && !inFolder(m.folder, real(c.Dir)) && (whole || !inFolder(m.folder, c.Dir)) {
		return "the session is in another folder"
	}
	switch {
	case m.kind != anything && m.kind != c.Kind:
		return "the kind is " + c.Kind
	case m.pattern == "":
		return ""
	case m.kind == "execute":
		if whole {
			return m.begins(c.Command)
		}
		return m.runs(c.Command)
	case whole:
		return m.covers(c)
	}
	return m.touches(c)
}

// agentOf returns the agent's name from its key if the pattern is a name. The part after
// the colon distinguishes commands and servers with the same name.
func agentOf(pattern, key string) string {
	if name, _, found := strings.Cut(key, ":"); found && !strings.Contains(pattern, ":") {
		return name
	}
	return key
}

// covers matches paths for rules that allow.
func (m *matcher) covers(c consent.Call) string {
	if c.Kind == "execute" {
		return "a path pattern does not limit what a command does"
	}
	for _, p := range c.Paths {
		if !m.matches(real(c.Dir), real(p)) {
			return "outside the pattern: " + p
		}
	}
	if len(c.Paths) == 0 {
		return "the call names no path"
	}
	return ""
}

// touches matches paths for rules that ask or deny.
func (m *matcher) touches(c consent.Call) string {
	for _, p := range c.Paths {
		if m.matches(real(c.Dir), real(p)) || m.matches(c.Dir, filepath.Clean(p)) {
			return ""
		}
	}
	if len(c.Paths) == 0 {
		return "the call names no path"
	}
	return "no path matches the pattern"
}

// meaningful are the characters that can make a shell run more than one command, or a
// different command than the text suggests.
const meaningful = "\n\r;&|<>`$(){}[]!*?~#'\"\\%^"

// begins matches commands for rules that allow. It returns why the command doesn't match,
// or "". The part that * matches must not contain characters that are special to a shell.
func (m *matcher) begins(command string) string {
	if command == "" {
		return "the call names no command"
	}
	head, open := strings.CutSuffix(m.pattern, "*")
	rest, ok := strings.CutPrefix(command, head)
	switch {
	case !ok, !open && rest != "":
		return "the command differs"
	case strings.ContainsAny(rest, meaningful):
		return "the part matched by * contains shell metacharacters"
	}
	return ""
}

// runs matches commands for rules that ask or deny. It returns why no command of the
// command line matches, or "". It ignores white space, quotes and the program's folder.
func (m *matcher) runs(command string) string {
	if command == "" {
		return "the call names no command"
	}
	head, open := strings.CutSuffix(m.pattern, "*")
	whole := strings.TrimRight(head, " \t") != head // the * is a separate word
	head = strings.Join(strings.Fields(head), " ")
	fits := func(text string) bool {
		switch {
		case !open:
			return text == head
		case whole && head != "":
			return text == head || strings.HasPrefix(text, head+" ")
		}
		return strings.HasPrefix(text, head)
	}
	if fits(strings.Join(strings.Fields(command), " ")) || anyCommand(command, func(words []string) bool {
		return fits(strings.Join(words, " ")) || fits(strings.Join(append([]string{baseName(words[0])}, words[1:]...), " "))
	}) {
		return ""
	}
	return "the command differs"
}

// matches reports whether a path in a folder matches the pattern.
func (m *matcher) matches(dir, name string) bool {
	pattern := filepath.ToSlash(m.pattern)
	if !path.IsAbs(pattern) && !filepath.IsAbs(m.pattern) {
		inner, err := filepath.Rel(dir, name)
		if err != nil || !filepath.IsLocal(inner) {
			return false
		}
		name = inner
	}
	if name == "" {
		return false
	}
	ok, err := doublestar.Match(pattern, filepath.ToSlash(name))
	return err == nil && ok
}

// inFolder reports whether a folder matches the pattern. The fixed part at the beginning
// of the pattern may be a link.
func inFolder(pattern, dir string) bool {
	if dir == "" {
		return false
	}
	if !strings.ContainsAny(pattern, `*?[{\`) {
		return real(pattern) == dir || pattern == dir
	}
	if base, rest := doublestar.SplitPattern(filepath.ToSlash(pattern)); real(base) != "" {
		pattern = filepath.Join(real(base), rest)
	}
	ok, err := doublestar.Match(filepath.ToSlash(pattern), filepath.ToSlash(dir))
	return err == nil && ok
}

// like reports whether a name matches the pattern, in which each * matches any text.
func like(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return true
}
