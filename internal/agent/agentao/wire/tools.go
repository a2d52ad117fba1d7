package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// tools lists Agentao's tools, from agentao/tools and agentao/agents/tools, and
// older names that its ACP server still maps.
var tools = toolview.Table{
	{Name: "read_file", Kind: "read", Verb: "Read", Subject: "file_path", Path: "file_path"},
	{Name: "read_folder", Kind: "read", Verb: "List", Subject: "directory_path", Path: "directory_path"},
	{Name: "list_directory", Kind: "read", Verb: "List", Subject: "directory_path", Path: "directory_path"},
	{Name: "write_file", Kind: "edit", Verb: "Write", Subject: "file_path", Path: "file_path"},
	{Name: "replace", Kind: "edit", Verb: "Edit", Subject: "file_path", Path: "file_path"},
	{Name: "edit_file", Kind: "edit", Verb: "Edit", Subject: "file_path", Path: "file_path"},
	{Name: "edit", Kind: "edit", Verb: "Edit", Subject: "file_path", Path: "file_path"},
	{Name: "glob", Kind: "search", Verb: "Find files", Subject: "pattern", Path: "directory"},
	{Name: "find_files", Kind: "search", Verb: "Find files", Subject: "pattern", Path: "directory"},
	{Name: "search_file_content", Kind: "search", Verb: "Search for", Subject: "pattern", Path: "directory"},
	{Name: "search_text", Kind: "search", Verb: "Search for", Subject: "pattern", Path: "directory"},
	{Name: "grep", Kind: "search", Verb: "Search for", Subject: "pattern", Path: "directory"},
	{Name: "run_shell_command", Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "bash", Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "shell", Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "web_fetch", Kind: "fetch", Verb: "Fetch", Subject: "url"},
	{Name: "web_search", Kind: "search", Verb: "Search the web for", Subject: "query"},
	{Name: "todo_write", Kind: "think", Verb: "Update the plan"},
	{Name: "ask_user", Kind: "think", Verb: "Ask", Subject: "question"},
	{Name: "save_memory", Kind: "think", Verb: "Remember", Subject: "key"},
	{Name: "activate_skill", Kind: "think", Verb: "Activate the skill", Subject: "skill_name"},
	{Name: "plan_save", Kind: "think", Verb: "Save the plan"},
	{Name: "plan_finalize", Kind: "switch_mode", Verb: "Finish the plan"},
	{Name: "update_goal", Kind: "think", Verb: "Update the goal"},
	{Name: "cli_help", Kind: "think", Verb: "Look up the help"},
	{Name: "codebase_investigator", Kind: "search", Verb: "Investigate the code"},
	{Name: "check_background_agent", Kind: "think", Verb: "Check the background agent", Subject: "agent_id"},
	{Name: "cancel_background_agent", Kind: "think", Verb: "Cancel the background agent", Subject: "agent_id"},
	{Name: "complete_task", Kind: "think", Verb: "Complete the task"},
}

// helperTool begins the names of tools that start helper agents. Each helper
// agent has a tool named after it (agentao/agents/tools/_wrapper.py).
const helperTool = "agent_"

// view returns the view of a call.
func view(tool string, args agent.Raw) agent.View {
	var v agent.View
	tools.Fill(&v, tool, args)
	if name, ok := strings.CutPrefix(tool, helperTool); ok {
		v = agent.View{Kind: "think", Title: "Start the agent " + strings.ReplaceAll(name, "_", "-")}
	}
	return v
}

// todos returns the plan in the arguments of todo_write, or nil if any part of
// it is invalid.
func todos(args agent.Raw) *agent.Plan {
	var a struct {
		Todos []struct {
			Content *string `json:"content"`
			Status  string  `json:"status"`
		} `json:"todos"`
	}
	if exactjson.Unmarshal(args, &a) != nil || a.Todos == nil {
		return nil
	}
	p := &agent.Plan{Entries: make([]agent.PlanEntry, 0, len(a.Todos))}
	for _, t := range a.Todos {
		switch t.Status {
		case "pending", "in_progress", "completed":
		default:
			return nil
		}
		if t.Content == nil {
			return nil
		}
		p.Entries = append(p.Entries, agent.PlanEntry{Content: *t.Content, Status: t.Status})
	}
	return p
}
