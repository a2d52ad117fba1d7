package ethos

import "github.com/turnwire/turnwire/agent/toolview"

// tools are the tools that Ethos brings along (its folder extensions/tools-*).
// Those of MCP servers and plug-ins are described by their arguments.
var tools = toolview.Table{
	"read_file":    {Kind: "read", Verb: "Read", Subject: "path", Path: "path"},
	"write_file":   {Kind: "edit", Verb: "Write", Subject: "path", Path: "path"},
	"patch_file":   {Kind: "edit", Verb: "Edit", Subject: "path", Path: "path"},
	"search_files": {Kind: "search", Verb: "Search for", Subject: "pattern"},

	"terminal":      {Kind: "execute", Verb: "Run", Subject: "command"},
	"run_code":      {Kind: "execute", Verb: "Run code"},
	"run_tests":     {Kind: "execute", Verb: "Run tests", Subject: "command"},
	"lint":          {Kind: "execute", Verb: "Lint", Subject: "command"},
	"process_start": {Kind: "execute", Verb: "Start", Subject: "command"},
	"process_list":  {Kind: "read", Verb: "List processes"},
	"process_logs":  {Kind: "read", Verb: "Read the output of process", Subject: "id"},
	"process_stop":  {Kind: "execute", Verb: "Stop process", Subject: "id"},
	"process_wait":  {Kind: "execute", Verb: "Wait for process", Subject: "id"},
	"process_watch": {Kind: "execute", Verb: "Watch process", Subject: "id"},

	"web_search":  {Kind: "search", Verb: "Search the web for", Subject: "query"},
	"web_extract": {Kind: "fetch", Verb: "Fetch", Subject: "url"},

	"browse_url":           {Kind: "fetch", Verb: "Browse", Subject: "url"},
	"browser_navigate":     {Kind: "fetch", Verb: "Browse", Subject: "url"},
	"browser_back":         {Kind: "fetch", Verb: "Go back in the browser"},
	"browser_click":        {Kind: "execute", Verb: "Click in the browser"},
	"browser_type":         {Kind: "execute", Verb: "Type in the browser"},
	"browser_press":        {Kind: "execute", Verb: "Press a key in the browser"},
	"browser_scroll":       {Kind: "execute", Verb: "Scroll in the browser"},
	"browser_dialog":       {Kind: "execute", Verb: "Answer a dialog of the browser"},
	"browser_console":      {Kind: "read", Verb: "Read the browser's console"},
	"browser_get_images":   {Kind: "read", Verb: "List the images of the page"},
	"browser_screenshot":   {Kind: "read", Verb: "Take a screenshot"},
	"browser_vision_click": {Kind: "execute", Verb: "Click in the browser"},
	"browser_vision_type":  {Kind: "execute", Verb: "Type in the browser"},

	"delegate_task":       {Kind: "think", Verb: "Delegate:", Subject: "prompt"},
	"route_to_agent":      {Kind: "think", Verb: "Ask another agent:", Subject: "prompt"},
	"dispatch_team":       {Kind: "think", Verb: "Give tasks to the team"},
	"broadcast_to_agents": {Kind: "think", Verb: "Ask all agents:", Subject: "prompt"},
	"mixture_of_agents":   {Kind: "think", Verb: "Ask several agents"},
	"list_team":           {Kind: "read", Verb: "List the team"},
	"task_status":         {Kind: "read", Verb: "Look at task", Subject: "id"},
	"task_result":         {Kind: "read", Verb: "Read the result of task", Subject: "id"},
	"task_logs":           {Kind: "read", Verb: "Read the log of task", Subject: "id"},
	"task_cancel":         {Kind: "execute", Verb: "Cancel task", Subject: "id"},

	"clarify":      {Kind: "think", Verb: "Ask:", Subject: "question"},
	"send_message": {Kind: "other", Verb: "Send a message"},
	"think_deeper": {Kind: "think", Verb: "Think deeper"},

	"todo_set":    {Kind: "think", Verb: "Plan"},
	"todo_add":    {Kind: "think", Verb: "Add to the plan:", Subject: "content"},
	"todo_update": {Kind: "think", Verb: "Update the plan"},
	"todo_list":   {Kind: "think", Verb: "Read the plan"},
	"todo_clear":  {Kind: "think", Verb: "Clear the plan"},

	"memory_read":          {Kind: "read", Verb: "Read the memory"},
	"memory_write":         {Kind: "other", Verb: "Write to the memory"},
	"team_memory_read":     {Kind: "read", Verb: "Read the team's memory"},
	"team_memory_search":   {Kind: "search", Verb: "Search the team's memory for", Subject: "query"},
	"team_memory_write":    {Kind: "other", Verb: "Write to the team's memory"},
	"session_search":       {Kind: "search", Verb: "Search past sessions for", Subject: "query"},
	"session_list_by_date": {Kind: "search", Verb: "List past sessions"},

	"skills_list":            {Kind: "read", Verb: "List skills"},
	"skill_view":             {Kind: "read", Verb: "Read a skill"},
	"skills_pending_list":    {Kind: "read", Verb: "List skills that wait for approval"},
	"skills_pending_view":    {Kind: "read", Verb: "Read the pending skill", Subject: "id"},
	"skills_pending_approve": {Kind: "other", Verb: "Approve the pending skill", Subject: "id"},
	"skills_pending_reject":  {Kind: "other", Verb: "Reject the pending skill", Subject: "id"},

	"image_generate": {Kind: "other", Verb: "Draw", Subject: "prompt"},
	"cron":           {Kind: "other", Verb: "Change the schedule"},
	"goal_create":    {Kind: "think", Verb: "Set a goal"},
	"goal_status":    {Kind: "read", Verb: "Look at the goal"},
	"goal_complete":  {Kind: "think", Verb: "Complete the goal"},
}
