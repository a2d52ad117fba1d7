package toolview

// A Tool is what is known of one tool.
type Tool struct {
	Kind string // as in agent.View
	Verb string // begins the title: "Read" + the subject
	// Subject names the argument that the title ends with, and that is the
	// location if it is a path.
	Subject string
	Path    string // the argument that holds the path, where there is one
}

// A Table maps exact tool names to what is known of them.
type Table map[string]Tool

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
