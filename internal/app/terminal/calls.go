package terminal

import (
	"github.com/turnwire/turnwire/internal/bridge/consent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// calls holds what the agent has said about the running tool calls. A permission request
// may contain only the call's id.
type calls map[string]*toolCall

// update applies an update. It drops calls that have ended, because they are never asked
// about.
func (c calls) update(u v1.Update) {
	f := v1.CallIn(u)
	if f == nil {
		return
	}
	if t := c.merged(f); t.finished() {
		delete(c, f.ToolCallID)
	}
}

// merged returns the call with f's id, after merging f into it.
func (c calls) merged(f *v1.ToolCallFields) *toolCall {
	t := c[f.ToolCallID]
	if t == nil {
		t = new(toolCall)
		c[f.ToolCallID] = t
	}
	t.merge(f)
	return t
}

// ruled shows that a rule refused a call.
func (t *turn) ruled(u v1.Update) {
	f := v1.CallIn(u)
	if f == nil {
		return
	}
	made, _ := f.Meta[consent.DecidedBy].(map[string]any)
	if made == nil || made["verdict"] != consent.Denied || made["by"] != consent.ByRule {
		return
	}
	call := t.calls.merged(f)
	t.view.decided(t.view.subject(f), false)
	t.result.deny(&call.ToolCallFields, "by a rule")
	t.view.say("denied by a rule: " + call.caption())
}
