package toolview

import (
	"cmp"
	"maps"
)

// A Tool is what is known of one tool.
type Tool struct {
	Kind string // as in agent.View
	Verb string // begins the title: "Read" + the subject
	// Subject names the argument that the title ends with, and that is the
	// location if it is a path.
	Subject string
	Path    string // the argument that holds the path, where there is one

	wins wins
}

// wins says which parts of a tool's view are not the agent's to say.
type wins struct{ kind, title, path bool }

// A Table maps exact tool names to what is known of them.
type Table map[string]Tool

// With returns t with what a person says of tools. That wins over t, and over
// what the agent says of its calls; what they leave out stays as it is.
func (t Table) With(own Table) Table {
	if len(own) == 0 {
		return t
	}
	out := maps.Clone(t)
	if out == nil {
		out = make(Table)
	}
	for name, o := range own {
		known := out[name]
		known.Kind = cmp.Or(o.Kind, known.Kind)
		known.Subject = cmp.Or(o.Subject, known.Subject)
		known.Path = cmp.Or(o.Path, known.Path)
		known.wins = wins{o.Kind != "", o.Verb != "" || o.Subject != "", o.Path != ""}
		if known.wins.title {
			known.Verb = cmp.Or(o.Verb, known.Verb, name)
		}
		out[name] = known
	}
	return out
}

// Common knows the tools of Turnwire's own workspace agent and of Ethos (seed
// 000), whose names native agents are free to use.
var Common = Table{
	"read_file":      {Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
	"list_directory": {Kind: "read", Verb: "List", Subject: "path", Path: "path"},
	"write_file":     {Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
	"append_file":    {Kind: "edit", Verb: "Append to", Subject: "path", Path: "path"},
	"edit_file":      {Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	"patch_file":     {Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	"search_files":   {Kind: "search", Verb: "Search for", Subject: "pattern"},
	"terminal":       {Kind: "execute", Verb: "Run", Subject: "command"},
	"run_command":    {Kind: "execute", Verb: "Run", Subject: "command"},
	"run_code":       {Kind: "execute", Verb: "Run code"},
	"lint":           {Kind: "execute", Verb: "Lint", Subject: "path", Path: "path"},
	"web_search":     {Kind: "search", Verb: "Search the web for", Subject: "query"},
	"web_extract":    {Kind: "fetch", Verb: "Fetch", Subject: "url"},
}
