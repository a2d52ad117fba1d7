package toolview

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
)

const maxTitle = 160 // runes

// Describe completes the agent's view of a call to the tool name with the
// arguments raw. It makes relative paths absolute, based on cwd. table may be
// nil.
func Describe(table Table, given agent.View, name string, raw []byte, cwd string) agent.View {
	known, ok := table.Find(name)
	var room [8]toolargs.Member // enough for most calls, without a heap allocation
	a := toolargs.Parse(room[:0], raw)
	changes := edit.Of(name, a)
	if !ok {
		known = guess(a, changes)
	}
	path := a.Text(known.Path)
	v := given
	if known.wins.kind {
		v.Kind = ""
	}
	if known.wins.title {
		v.Title = ""
	}
	if known.wins.path && path != "" {
		v.Locations = nil
	}
	if v.Kind == "" {
		v.Kind = known.Kind
	}
	if v.Kind == "" {
		v.Kind = "other"
	}
	if v.Title = oneLine(v.Title); v.Title == "" {
		v.Title = oneLine(title(known, name, a, changes))
	}
	if v.Locations == nil && path != "" {
		v.Locations = []agent.Location{{Path: path, Line: line(a)}}
	}
	if v.Locations == nil {
		for i := range changes {
			v.Locations = append(v.Locations, agent.Location{Path: changes[i].Path})
		}
	}
	if v.Diffs == nil {
		v.Diffs = stated(changes)
	}
	absolute(&v, cwd)
	return v
}

func title(t Tool, name string, a toolargs.Args, changes []edit.Change) string {
	subject := strings.TrimSpace(a.Text(t.Subject))
	if t.Subject == "" && len(changes) > 0 {
		subject = paths(changes)
	}
	switch {
	case t.Verb == "" && strings.TrimSpace(name) == "":
		return "Tool call"
	case t.Verb == "":
		return name
	case subject == "":
		return t.Verb
	}
	return t.Verb + " " + subject
}

func line(a toolargs.Args) int {
	for _, k := range []string{"line", "start_line", "offset"} {
		v := a.Value(k)
		if v == nil {
			continue
		}
		if n, err := strconv.ParseFloat(string(v), 64); err == nil && n >= 1 && n < 1<<31 {
			return int(n)
		}
	}
	return 0
}

// stated returns the diffs of changes whose arguments contain both texts.
func stated(changes []edit.Change) (diffs []agent.Diff) {
	for i := range changes {
		for _, r := range changes[i].Stated() {
			diffs = append(diffs, agent.Diff{Path: changes[i].Path, OldText: r.Old, NewText: r.New})
		}
	}
	return diffs
}

// paths lists the changed files.
func paths(changes []edit.Change) string {
	names := make([]string, len(changes))
	for i := range changes {
		names[i] = changes[i].Path
	}
	return strings.Join(names, ", ")
}

// guess describes an unknown tool by the names of its arguments.
func guess(a toolargs.Args, changes []edit.Change) Tool {
	path := edit.Path(a)
	switch {
	case len(changes) > 0 && path != "":
		return Tool{Kind: "edit", Verb: "Edit", Subject: path, Path: path}
	case len(changes) > 0:
		return Tool{Kind: "edit", Verb: "Edit"}
	}
	if k := a.First("command", "cmd"); k != "" {
		return Tool{Kind: "execute", Verb: "Run", Subject: k}
	}
	if k := a.First("url", "uri"); k != "" {
		return Tool{Kind: "fetch", Verb: "Fetch", Subject: k}
	}
	if k := a.First("pattern", "query", "regex"); k != "" {
		return Tool{Kind: "search", Verb: "Search for", Subject: k}
	}
	return Tool{Path: path}
}

func absolute(v *agent.View, cwd string) {
	// The slices may belong to the agent, so copy them before changing them.
	if len(v.Locations) > 0 {
		v.Locations = append([]agent.Location(nil), v.Locations...)
		for i := range v.Locations {
			v.Locations[i].Path = under(cwd, v.Locations[i].Path)
		}
	}
	if len(v.Diffs) > 0 {
		v.Diffs = append([]agent.Diff(nil), v.Diffs...)
		for i := range v.Diffs {
			v.Diffs[i].Path = under(cwd, v.Diffs[i].Path)
		}
	}
}

func under(cwd, path string) string {
	if filepath.IsAbs(path) || cwd == "" {
		return path
	}
	return filepath.Join(cwd, path)
}

// oneLine joins the lines of a title. A user who is asked about a command must
// not see only a harmless first line.
func oneLine(s string) string {
	if strings.ContainsFunc(s, breaksLine) {
		lines := strings.FieldsFunc(s, breaksLine)
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		s = strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), " ⏎ ")
	}
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= maxTitle {
		return s
	}
	return string([]rune(s)[:maxTitle-1]) + "…"
}

// breaksLine reports whether any editor starts a new line after r.
func breaksLine(r rune) bool {
	switch r {
	case '\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}
