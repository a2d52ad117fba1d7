package workspace

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/tools"
)

const (
	overviewKinds   = 6  // number of file types that are named
	overviewEntries = 12 // number of entries of the working directory that are named
)

// overview answers a prompt without steps. It describes the workspace, and what
// the agent can do.
func (t *turn) overview(attached []string) {
	var b strings.Builder
	s := survey{kinds: make(map[string]int)}
	all, err := t.session.tools.Walk(t.ctx, s.add)
	switch {
	case t.ctx.Err() != nil:
		return
	case err != nil:
		b.WriteString("I can't read the workspace: " + err.Error() + ".\n")
	default:
		s.write(&b, t.session.tools.Dirs(), all)
	}
	if len(attached) > 0 {
		fmt.Fprintf(&b, "\nYou attached %s: %s.\n", tools.Plural(len(attached), "thing"), some(attached, overviewEntries))
	}
	b.WriteString("\nI'm Turnwire's built-in agent. I list, read, search and edit files and run commands, one step per line: " +
		"`/list`, `/read PATH`, `/search PATTERN`, `/run COMMAND`; `/help` shows all of them.\n\n" +
		"To talk to a model, choose another agent: `turnwire agents` lists those you have, and `turnwire agents search` others.\n")
	t.sayText(b.String())
}

// A survey counts the contents of the workspace.
type survey struct {
	files, dirs int
	size        int64
	kinds       map[string]int
	top         []string // entries of the working directory
}

func (s *survey) add(e fs.DirEntry, top bool) {
	name := e.Name()
	if e.IsDir() {
		s.dirs++
		name += "/"
	} else {
		s.files++
		s.kinds[languageOf(name)]++
		// A file that was removed in the meantime has no size.
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			s.size += info.Size()
		}
	}
	if top {
		s.top = append(s.top, name)
	}
}

func (s *survey) write(b *strings.Builder, dirs []string, all bool) {
	least := ""
	if !all {
		least = "at least "
	}
	fmt.Fprintf(b, "The workspace %s has %s%s in %s, %s in total.\n", dirs[0], least,
		tools.Plural(s.files, "file"), tools.Plural(s.dirs, "directory"), tools.Size(s.size))
	if len(dirs) > 1 {
		fmt.Fprintf(b, "It includes %s.\n", some(dirs[1:], overviewEntries))
	}
	if len(s.kinds) > 0 {
		fmt.Fprintf(b, "By language: %s.\n", some(s.ranking(), overviewKinds))
	}
	if len(s.top) > 0 {
		fmt.Fprintf(b, "Top level: %s.\n", some(s.top, overviewEntries))
	}
	fmt.Fprintf(b, "Not counted: %s.\n", strings.Join(tools.SkippedDirs(), ", "))
}

// ranking returns the file types, the most frequent first.
func (s *survey) ranking() []string {
	kinds := make([]string, 0, len(s.kinds))
	for kind := range s.kinds {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.kinds[b], s.kinds[a]), strings.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%s %d", kind, s.kinds[kind])
	}
	return kinds
}

// some lists at most limit of the items.
func some(items []string, limit int) string {
	if len(items) <= limit {
		return strings.Join(items, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items[:limit], ", "), len(items)-limit)
}
