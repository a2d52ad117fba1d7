package agentao

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/toolview"
)

// tools are Agentao's own, from agentao/tools and agentao/agents/tools, and the
// older names that its ACP server still maps.
var tools = toolview.Table{
	"read_file":               {Kind: "read", Verb: "Read", Subject: "file_path", Path: "file_path"},
	"read_folder":             {Kind: "read", Verb: "List", Subject: "directory_path", Path: "directory_path"},
	"list_directory":          {Kind: "read", Verb: "List", Subject: "directory_path", Path: "directory_path"},
	"write_file":              {Kind: "edit", Verb: "Write", Subject: "file_path", Path: "file_path"},
	"replace":                 {Kind: "edit", Verb: "Edit", Subject: "file_path", Path: "file_path"},
	"edit_file":               {Kind: "edit", Verb: "Edit", Subject: "file_path", Path: "file_path"},
	"edit":                    {Kind: "edit", Verb: "Edit", Subject: "file_path", Path: "file_path"},
	"glob":                    {Kind: "search", Verb: "Find files", Subject: "pattern", Path: "directory"},
	"find_files":              {Kind: "search", Verb: "Find files", Subject: "pattern", Path: "directory"},
	"search_file_content":     {Kind: "search", Verb: "Search for", Subject: "pattern", Path: "directory"},
	"search_text":             {Kind: "search", Verb: "Search for", Subject: "pattern", Path: "directory"},
	"grep":                    {Kind: "search", Verb: "Search for", Subject: "pattern", Path: "directory"},
	"run_shell_command":       {Kind: "execute", Verb: "Run", Subject: "command"},
	"bash":                    {Kind: "execute", Verb: "Run", Subject: "command"},
	"shell":                   {Kind: "execute", Verb: "Run", Subject: "command"},
	"web_fetch":               {Kind: "fetch", Verb: "Fetch", Subject: "url"},
	"web_search":              {Kind: "search", Verb: "Search the web for", Subject: "query"},
	"todo_write":              {Kind: "think", Verb: "Update the plan"},
	"ask_user":                {Kind: "think", Verb: "Ask", Subject: "question"},
	"save_memory":             {Kind: "think", Verb: "Remember", Subject: "key"},
	"activate_skill":          {Kind: "think", Verb: "Activate the skill", Subject: "skill_name"},
	"plan_save":               {Kind: "think", Verb: "Save the plan"},
	"plan_finalize":           {Kind: "switch_mode", Verb: "Finish the plan"},
	"update_goal":             {Kind: "think", Verb: "Update the goal"},
	"cli_help":                {Kind: "think", Verb: "Look up the help"},
	"codebase_investigator":   {Kind: "search", Verb: "Investigate the code"},
	"check_background_agent":  {Kind: "think", Verb: "Check the background agent", Subject: "agent_id"},
	"cancel_background_agent": {Kind: "think", Verb: "Cancel the background agent", Subject: "agent_id"},
	"complete_task":           {Kind: "think", Verb: "Complete the task"},
}

// helperTool begins the names of the tools that start helper agents: one for
// each, named after it (agentao/agents/tools/_wrapper.py).
const helperTool = "agent_"

// view is how a call is shown. Of a file that is written whole the old text is
// not known, so the new one stands alone.
func view(tool string, args agent.Raw) agent.View {
	var v agent.View
	tools.Fill(&v, tool, args)
	if name, ok := strings.CutPrefix(tool, helperTool); ok {
		v = agent.View{Kind: "think", Title: "Start the agent " + strings.ReplaceAll(name, "_", "-")}
	}
	if tool != "write_file" {
		return v
	}
	var a struct {
		Path    string  `json:"file_path"`
		Content *string `json:"content"`
		Append  bool    `json:"append"`
	}
	if json.Unmarshal(args, &a) == nil && a.Path != "" && a.Content != nil && !a.Append {
		v.Diffs = []agent.Diff{{Path: a.Path, NewText: *a.Content}}
	}
	return v
}

// todos is the plan that the arguments of todo_write hold, nil where any part
// of it is not as the tool wants it.
func todos(args agent.Raw) *agent.Plan {
	var a struct {
		Todos []struct {
			Content *string `json:"content"`
			Status  string  `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal(args, &a) != nil || a.Todos == nil {
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
