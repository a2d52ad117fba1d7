package toolview

import (
	"cmp"
	"slices"
)

// A Tool describes one tool.
type Tool struct {
	Name string
	Kind string // as in agent.View
	Verb string // begins the title: verb + subject, such as "Read main.go"
	// Subject names the argument that ends the title.
	Subject string
	Path    string // the argument that holds the path, or ""

	wins wins
}

// wins says which parts of the agent's view are ignored.
type wins struct{ kind, title, path bool }

// A Table lists tools, each name once. It is not a map, because filling a map
// would slow down every start of the program, which editors wait for.
type Table []Tool

// Find returns the tool with this exact name.
func (t Table) Find(name string) (Tool, bool) {
	if i := t.index(name); i >= 0 {
		return t[i], true
	}
	return Tool{}, false
}

// index returns the index of a tool, or -1.
func (t Table) index(name string) int {
	for i := range t {
		if t[i].Name == name {
			return i
		}
	}
	return -1
}

// With returns t with the user's tool descriptions added. They override both t
// and what the agent sends. Empty members leave t unchanged.
func (t Table) With(own Table) Table {
	if len(own) == 0 {
		return t
	}
	out := slices.Clone(t)
	for _, o := range own {
		at := out.index(o.Name)
		if at < 0 {
			at, out = len(out), append(out, Tool{Name: o.Name})
		}
		known := &out[at]
		known.Kind = cmp.Or(o.Kind, known.Kind)
		known.Subject = cmp.Or(o.Subject, known.Subject)
		known.Path = cmp.Or(o.Path, known.Path)
		known.wins = wins{o.Kind != "", o.Verb != "" || o.Subject != "", o.Path != ""}
		if known.wins.title {
			known.Verb = cmp.Or(o.Verb, known.Verb, o.Name)
		}
	}
	return out
}

// Common describes the tools of Turnwire's workspace agent and of Ethos (seed
// 000). Native agents may use the same names.
var Common = Table{
	{Name: "read_file", Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
	{Name: "list_directory", Kind: "read", Verb: "List", Subject: "path", Path: "path"},
	{Name: "write_file", Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
	{Name: "append_file", Kind: "edit", Verb: "Append to", Subject: "path", Path: "path"},
	{Name: "edit_file", Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	{Name: "patch_file", Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	{Name: "search_files", Kind: "search", Verb: "Search for", Subject: "pattern"},
	{Name: "terminal", Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "run_command", Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "run_code", Kind: "execute", Verb: "Run code"},
	{Name: "lint", Kind: "execute", Verb: "Lint", Subject: "path", Path: "path"},
	{Name: "web_search", Kind: "search", Verb: "Search the web for", Subject: "query"},
	{Name: "web_extract", Kind: "fetch", Verb: "Fetch", Subject: "url"},
}
