package control

import (
	"cmp"

	"github.com/turnwire/turnwire/agent"
)

type object = map[string]any

// Translate returns the messages for a command, or nil if Claude Code doesn't need it.
func (h *Host) Translate(command any) []any {
	switch c := command.(type) {
	case agent.Prompt:
		return []any{prompt(c)}
	case agent.Cancel:
		return []any{ask("interrupt", object{"subtype": "interrupt"})}
	case agent.SetOption:
		change := object{"subtype": "set_model", "model": c.Value.Choice}
		if c.OptionID == agent.OptionMode {
			change = object{"subtype": "set_permission_mode", "mode": c.Value.Choice}
		}
		return []any{ask(c.OptionID+":"+c.Value.Choice, change)}
	case agent.ConfirmationResponse:
		return h.decide(c)
	}
	return nil
}

// ask returns a request of the host. Its id says what it is; see [Host.response].
func ask(id string, request object) any {
	return object{"type": "control_request", "request_id": id, "request": request}
}

func prompt(p agent.Prompt) any {
	content := []object{{"type": "text", "text": p.Text}}
	for _, b := range p.Blocks {
		if b.Type == "image" {
			content = append(content, object{"type": "image", "source": object{"type": "base64", "media_type": b.MIMEType, "data": b.Data}})
		}
	}
	return object{"type": "user", "message": object{"role": "user", "content": content}, "parent_tool_use_id": nil, "session_id": ""}
}

// decide answers a request. Only a request that is known is permitted. If the user accepts a
// part of a change, a message tells Claude Code what was refused.
func (h *Host) decide(c agent.ConfirmationResponse) []any {
	r, result := h.find(c.ConfirmationID), object{"behavior": "allow"}
	input, refused, ok := r.inPart(c.Accepted)
	switch {
	case r.id == "" || !c.Decision.Allows():
		result, refused = object{"behavior": "deny", "message": cmp.Or(c.Reason, "The user refused this.")}, ""
	case !ok:
		result = object{"behavior": "deny", "message": notInPart}
	default:
		result["updatedInput"] = input
		if rules := r.rules[c.OptionID]; rules != nil && c.Decision == agent.AllowAlways {
			result["updatedPermissions"] = rules
		}
	}
	messages := []any{object{"type": "control_response", "response": object{"subtype": "success", "request_id": c.ConfirmationID, "response": result}}}
	if refused != "" {
		messages = append(messages, prompt(agent.Prompt{Text: refused}))
	}
	return messages
}
