package quirks

import "github.com/turnwire/turnwire/internal/agent/stream/toolview"

// Glue returns the table for `glue acp`, based on Glue's source code (3fadc92, 0.9.0).
func Glue() *Table {
	return &Table{
		Options:       map[string]string{"allow": "allow_once", "deny": "reject_once"},
		Notices:       []Mark{{"! ", "warning"}, {"· ", "info"}},
		ErrorPrefix:   "[error] ",
		RelativePaths: true,
		EndsTwice:     true,
		Traces:        true,
		Busy:          -32600,
		Lost:          -32001,
		Folders:       true,
		Tools: toolview.Table{
			{Name: "read_file", Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
			{Name: "list_directory", Kind: "read", Verb: "List", Subject: "path", Path: "path"},
			{Name: "grep", Kind: "search", Verb: "Search for", Subject: "pattern"},
			{Name: "write_file", Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
			{Name: "edit_file", Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
			{Name: "bash", Kind: "execute", Verb: "Run", Subject: "command"},
			{Name: "web_fetch", Kind: "fetch", Verb: "Fetch", Subject: "url"},
			{Name: "web_search", Kind: "search", Verb: "Search the web for", Subject: "query"},
			{Name: "web_browser", Kind: "fetch", Verb: "Browse", Subject: "url"},
			{Name: "spawn_subagent", Kind: "think", Verb: "Ask a helper", Subject: "task"},
			{Name: "spawn_parallel_subagents", Kind: "think", Verb: "Ask several helpers"},
			{Name: "skill", Kind: "other", Verb: "Use the skill", Subject: "name"},
		},
	}
}
