package policy

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/turnwire/turnwire/internal/suggest"
)

// anything is the kind that stands for all.
const anything = "*"

// kinds are those of calls, as ACP names them.
var kinds = []string{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}

// A rule matches calls.
type rule struct {
	kind    string
	pattern string // "" matches all
}

func parse(text string) (rule, error) {
	kind, pattern, about := strings.Cut(strings.TrimSpace(text), ":")
	r := rule{kind, pattern}
	switch {
	case kind != anything && !slices.Contains(kinds, kind):
		return rule{}, fmt.Errorf("%q: there is no kind of calls %q%s", text, kind, suggest.Hint(kind, kinds))
	case about && pattern == "":
		return rule{}, fmt.Errorf("%q: a pattern follows the colon", text)
	case !about:
		return r, nil
	case kind == "execute":
		if before, _ := strings.CutSuffix(pattern, "*"); strings.Contains(before, "*") {
			return rule{}, fmt.Errorf("%q: the only * of a command is at its end", text)
		}
	case !doublestar.ValidatePattern(filepath.ToSlash(pattern)):
		return rule{}, fmt.Errorf("%q: the pattern is not valid", text)
	}
	return r, nil
}

func (r rule) fits(c Call) bool { return r.kind == anything || r.kind == c.Kind }

// covers reports whether all that the call is about is within the rule.
func (r rule) covers(c Call) bool {
	switch {
	case !r.fits(c):
		return false
	case r.pattern == "":
		return true
	case r.kind == "execute":
		return r.begins(c.Command, true)
	case c.Kind == "execute":
		return false // the paths that a command names do not bound what it does
	}
	for _, p := range c.Paths {
		if !r.matches(real(c.Dir), real(p)) {
			return false
		}
	}
	return len(c.Paths) > 0
}

// touches reports whether anything that the call is about is within the rule.
func (r rule) touches(c Call) bool {
	switch {
	case !r.fits(c):
		return false
	case r.pattern == "":
		return true
	case r.kind == "execute":
		return r.begins(c.Command, false)
	}
	return slices.ContainsFunc(c.Paths, func(p string) bool {
		return r.matches(real(c.Dir), real(p)) || r.matches(c.Dir, filepath.Clean(p))
	})
}

// meaningful are the characters that can make a shell run more than one command,
// or another one than is read.
const meaningful = "\n\r;&|<>`$(){}[]!*?~#'\"\\%^"

// begins reports whether a command is one of the pattern. If it has to be plain,
// what the * stands for has no meaning for a shell.
func (r rule) begins(command string, plain bool) bool {
	head, open := strings.CutSuffix(r.pattern, "*")
	if !open {
		return command == r.pattern
	}
	rest, ok := strings.CutPrefix(command, head)
	return ok && (!plain || !strings.ContainsAny(rest, meaningful))
}

// matches reports whether a path is one of the pattern in a folder.
func (r rule) matches(dir, name string) bool {
	pattern := filepath.ToSlash(r.pattern)
	if !path.IsAbs(pattern) && !filepath.IsAbs(r.pattern) {
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

// real returns where a path leads. Of what is not there yet it is where its
// folder leads. It is "" for a link to what is not there, which a write would
// make: nothing matches that.
func real(name string) string {
	name = filepath.Clean(name)
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	if info, err := os.Lstat(name); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return ""
	}
	parent := filepath.Dir(name)
	if parent == name {
		return name
	}
	folder := real(parent)
	if folder == "" {
		return ""
	}
	return filepath.Join(folder, filepath.Base(name))
}
