package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

// Tools that the decoder handles specially.
const (
	toolBash          = "bash"
	toolSpawn         = "spawn_subagent"
	toolSpawnParallel = "spawn_parallel_subagents"
	// toolRuntime is not a tool of Glue. It names the commands that Glue's
	// runtimes execute, which have no tool name.
	toolRuntime = "runtime_command"
)

// tools lists Glue's tools
// (packages/glue_harness/lib/src/{agent,tools,skills}).
var tools = toolview.Table{
	{Name: "read_file", Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
	{Name: "write_file", Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
	{Name: "edit_file", Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	{Name: "list_directory", Kind: "read", Verb: "List", Subject: "path", Path: "path"},
	{Name: "grep", Kind: "search", Verb: "Search for", Subject: "pattern"},
	{Name: toolBash, Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: toolRuntime, Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "web_fetch", Kind: "fetch", Verb: "Fetch", Subject: "url"},
	{Name: "web_search", Kind: "search", Verb: "Search the web for", Subject: "query"},
	{Name: "web_browser", Kind: "fetch", Verb: "Browse", Subject: "url"},
	{Name: toolSpawn, Kind: "think", Verb: "Delegate:", Subject: "task"},
	{Name: toolSpawnParallel, Kind: "think", Verb: "Delegate several tasks"},
	{Name: "skill", Kind: "read", Verb: "Use the skill", Subject: "name"},
}

// view returns the view of a call. Tools of MCP servers are named
// "<server>.<tool>" in Glue's documentation and "<server>__<tool>" in its
// code.
func view(name string, args []byte) agent.View {
	var v agent.View
	tools.Fill(&v, name, args)
	if v.Title != "" {
		return v
	}
	for _, separator := range []string{"__", "."} {
		if server, tool, ok := strings.Cut(name, separator); ok && server != "" && tool != "" {
			v.Title = server + ": " + tool
			break
		}
	}
	return v
}

// kindOf converts the session contract's ToolKind.
func kindOf(toolKind string) string {
	switch toolKind {
	case "read":
		return "read"
	case "write":
		return "edit"
	case "exec":
		return "execute"
	case "network":
		return "fetch"
	case "":
		return ""
	}
	return "other"
}
