package wire

import "github.com/turnwire/turnwire/internal/agent/stream/toolview"

// tools lists the tools that come with Ethos (extensions/tools-*). Tools of
// MCP servers and plug-ins are described by their arguments.
var tools = toolview.Table{
	{Name: "read_file", Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
	{Name: "write_file", Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
	{Name: "patch_file", Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	{Name: "search_files", Kind: "search", Verb: "Search for", Subject: "pattern"},

	{Name: "terminal", Kind: "execute", Verb: "Run", Subject: "command"},
	{Name: "run_code", Kind: "execute", Verb: "Run code"},
	{Name: "run_tests", Kind: "execute", Verb: "Run tests", Subject: "command"},
	{Name: "lint", Kind: "execute", Verb: "Lint", Subject: "command"},
	{Name: "process_start", Kind: "execute", Verb: "Start", Subject: "command"},
	{Name: "process_list", Kind: "read", Verb: "List processes"},
	{Name: "process_logs", Kind: "read", Verb: "Read the output of process", Subject: "id"},
	{Name: "process_stop", Kind: "execute", Verb: "Stop process", Subject: "id"},
	{Name: "process_wait", Kind: "execute", Verb: "Wait for process", Subject: "id"},
	{Name: "process_watch", Kind: "execute", Verb: "Watch process", Subject: "id"},

	{Name: "web_search", Kind: "search", Verb: "Search the web for", Subject: "query"},
	{Name: "web_extract", Kind: "fetch", Verb: "Fetch", Subject: "url"},

	{Name: "browse_url", Kind: "fetch", Verb: "Browse", Subject: "url"},
	{Name: "browser_navigate", Kind: "fetch", Verb: "Browse", Subject: "url"},
	{Name: "browser_back", Kind: "fetch", Verb: "Go back in the browser"},
	{Name: "browser_click", Kind: "execute", Verb: "Click in the browser"},
	{Name: "browser_type", Kind: "execute", Verb: "Type in the browser"},
	{Name: "browser_press", Kind: "execute", Verb: "Press a key in the browser"},
	{Name: "browser_scroll", Kind: "execute", Verb: "Scroll in the browser"},
	{Name: "browser_dialog", Kind: "execute", Verb: "Answer a dialog of the browser"},
	{Name: "browser_console", Kind: "read", Verb: "Read the browser's console"},
	{Name: "browser_get_images", Kind: "read", Verb: "List the images of the page"},
	{Name: "browser_screenshot", Kind: "read", Verb: "Take a screenshot"},
	{Name: "browser_vision_click", Kind: "execute", Verb: "Click in the browser"},
	{Name: "browser_vision_type", Kind: "execute", Verb: "Type in the browser"},

	{Name: "delegate_task", Kind: "think", Verb: "Delegate:", Subject: "prompt"},
	{Name: "route_to_agent", Kind: "think", Verb: "Ask another agent:", Subject: "prompt"},
	{Name: "dispatch_team", Kind: "think", Verb: "Give tasks to the team"},
	{Name: "broadcast_to_agents", Kind: "think", Verb: "Ask all agents:", Subject: "prompt"},
	{Name: "mixture_of_agents", Kind: "think", Verb: "Ask several agents"},
	{Name: "list_team", Kind: "read", Verb: "List the team"},
	{Name: "task_status", Kind: "read", Verb: "Look at task", Subject: "id"},
	{Name: "task_result", Kind: "read", Verb: "Read the result of task", Subject: "id"},
	{Name: "task_logs", Kind: "read", Verb: "Read the log of task", Subject: "id"},
	{Name: "task_cancel", Kind: "execute", Verb: "Cancel task", Subject: "id"},

	{Name: "clarify", Kind: "think", Verb: "Ask:", Subject: "question"},
	{Name: "send_message", Kind: "other", Verb: "Send a message"},
	{Name: "think_deeper", Kind: "think", Verb: "Think deeper"},

	{Name: "todo_set", Kind: "think", Verb: "Plan"},
	{Name: "todo_add", Kind: "think", Verb: "Add to the plan:", Subject: "content"},
	{Name: "todo_update", Kind: "think", Verb: "Update the plan"},
	{Name: "todo_list", Kind: "think", Verb: "Read the plan"},
	{Name: "todo_clear", Kind: "think", Verb: "Clear the plan"},

	{Name: "memory_read", Kind: "read", Verb: "Read the memory"},
	{Name: "memory_write", Kind: "other", Verb: "Write to the memory"},
	{Name: "team_memory_read", Kind: "read", Verb: "Read the team's memory"},
	{Name: "team_memory_search", Kind: "search", Verb: "Search the team's memory for", Subject: "query"},
	{Name: "team_memory_write", Kind: "other", Verb: "Write to the team's memory"},
	{Name: "session_search", Kind: "search", Verb: "Search past sessions for", Subject: "query"},
	{Name: "session_list_by_date", Kind: "search", Verb: "List past sessions"},

	{Name: "skills_list", Kind: "read", Verb: "List skills"},
	{Name: "skill_view", Kind: "read", Verb: "Read a skill"},
	{Name: "skills_pending_list", Kind: "read", Verb: "List skills that wait for approval"},
	{Name: "skills_pending_view", Kind: "read", Verb: "Read the pending skill", Subject: "id"},
	{Name: "skills_pending_approve", Kind: "other", Verb: "Approve the pending skill", Subject: "id"},
	{Name: "skills_pending_reject", Kind: "other", Verb: "Reject the pending skill", Subject: "id"},

	{Name: "image_generate", Kind: "other", Verb: "Draw", Subject: "prompt"},
	{Name: "cron", Kind: "other", Verb: "Change the schedule"},
	{Name: "goal_create", Kind: "think", Verb: "Set a goal"},
	{Name: "goal_status", Kind: "read", Verb: "Look at the goal"},
	{Name: "goal_complete", Kind: "think", Verb: "Complete the goal"},
}
