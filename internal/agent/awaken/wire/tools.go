package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Tools lists the tools of Awaken's own extensions (awaken-ext-skills,
// -deferred-tools and -generative-ui, and the runtime's background tasks). All
// others belong to the application and are described by their arguments.
var Tools = toolview.Table{
	{Name: "skill", Kind: "read", Verb: "Use skill", Subject: "skill"},
	{Name: "load_skill_resource", Kind: "read", Verb: "Load skill resource", Subject: "path"},
	{Name: "skill_script", Kind: "execute", Verb: "Run skill script", Subject: "script"},
	{Name: "ToolSearch", Kind: "search", Verb: "Search tools for", Subject: "query"},
	{Name: "render_a2ui", Kind: "other", Verb: "Render an interface"},
	{Name: "send_message", Kind: "other", Verb: "Send message", Subject: "message"},
	{Name: "cancel_task", Kind: "other", Verb: "Cancel a background task"},
	{Name: "recover_failed_messages", Kind: "other", Verb: "Recover failed messages"},
}

// delegate begins the names of tools that run another agent. The runtime
// appends that agent's id (extensions/a2a/agent_tool.rs).
const delegate = "agent_run_"

// fill completes the view of a call.
func fill(v *agent.View, name string, args agent.Raw) {
	id, ok := strings.CutPrefix(name, delegate)
	if !ok || id == "" {
		Tools.Fill(v, name, args)
		return
	}
	v.Kind, v.Title = "think", "Agent "+id
	var given struct {
		Prompt string `json:"prompt"`
	}
	if exactjson.Unmarshal(args, &given) == nil && given.Prompt != "" {
		v.Title += ": " + given.Prompt
	}
}
