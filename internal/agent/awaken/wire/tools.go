package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Tools knows the tools that Awaken's own extensions bring (awaken-ext-skills,
// -deferred-tools and -generative-ui, and the runtime's background tasks). All
// others are the application's: their arguments say what they do.
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

// delegate begins the names of the tools that run another agent, which the
// runtime makes from that agent's id (extensions/a2a/agent_tool.rs).
const delegate = "agent_run_"

// fill completes what is known of a call.
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
