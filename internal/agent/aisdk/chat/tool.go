package chat

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// interrupted is the error of a call that has no result, because models don't accept
// a conversation with such a call.
const interrupted = "The call was interrupted."

// addTool applies an element about a tool call.
func (m *message) addTool(what string, c *chunk) {
	p := m.find(func(p part) bool {
		if what == "approval-response" {
			a, ok := p["approval"].(part)
			return ok && a["id"] == c.ApprovalID
		}
		return p["toolCallId"] == c.ToolCallID
	})
	if p == nil && c.ToolName != "" {
		p = part{"toolCallId": c.ToolCallID, "type": "tool-" + c.ToolName}
		if c.Dynamic {
			p["type"], p["toolName"] = "dynamic-tool", c.ToolName
		}
		m.parts = append(m.parts, p)
	}
	if p == nil {
		return
	}
	if c.Executed {
		p["providerExecuted"] = true
	}
	switch what {
	case "input-start":
		p["state"] = "input-streaming"
	case "input-available":
		p["state"] = "input-available"
		p.with("input", c.Input).with("callProviderMetadata", c.Provider)
	case "input-error":
		p.with("input", c.Input).fail(c.ErrorText)
	case "approval-request": // the server checks the signature
		a := part{"id": c.ApprovalID}
		a.with("requestReason", c.Reason).with("isAutomatic", c.Automatic).with("signature", c.Signature)
		p["state"], p["approval"] = "approval-requested", a.with("descriptor", c.Descriptor).with("inputSchemaInput", c.SchemaInput)
	case "approval-response":
		p.respond(c.Approved, "")
	case "output-available":
		p["state"], p["output"], p["preliminary"] = "output-available", c.Output, c.Preliminary
		p.with("resultProviderMetadata", c.Provider)
	case "output-error":
		p.fail(c.ErrorText)
	case "output-denied":
		p.deny("")
	}
}

// find returns the last part that is wanted, or nil.
func (m *message) find(wanted func(part) bool) part {
	for _, p := range slices.Backward(m.parts) {
		if wanted(p) {
			return p
		}
	}
	return nil
}

// respond answers the approval of a call.
func (p part) respond(approved bool, reason string) {
	a, ok := p["approval"].(part)
	if !ok {
		return
	}
	a["approved"] = approved
	if p["state"] = "approval-responded"; reason != "" {
		a["reason"] = reason
	}
}

// fail ends a call with an error.
func (p part) fail(text string) {
	p["state"], p["errorText"] = "output-error", text
	delete(p, "output")
	if a, ok := p["approval"].(part); ok && a["approved"] != true {
		delete(p, "approval")
	}
}

// deny ends a call that was not approved.
func (p part) deny(reason string) {
	if _, ok := p["approval"].(part); !ok {
		p["approval"] = part{"id": p["toolCallId"]}
	}
	p.respond(false, reason)
	p["state"] = "output-denied"
}

// asked returns the ids of the approvals that wait for the user.
func (m *message) asked() (ids []string) {
	for _, p := range m.parts {
		if a, ok := p["approval"].(part); ok && p["state"] == "approval-requested" && !a.isAutomatic() {
			id, _ := a["id"].(string)
			ids = append(ids, id)
		}
	}
	return ids
}

// decide answers the approvals. Only a decision that allows permits anything.
func (m *message) decide(decisions map[string]agent.ConfirmationResponse) {
	for _, p := range m.parts {
		if a, ok := p["approval"].(part); ok && p["state"] == "approval-requested" && !a.isAutomatic() {
			id, _ := a["id"].(string)
			r := decisions[id]
			p.respond(r.Decision.Allows(), r.Reason)
		}
	}
}

// seal ends the calls without a result.
func (m *message) seal() {
	m.parts = slices.DeleteFunc(m.parts, func(p part) bool { return p["state"] == "input-streaming" })
	for _, p := range m.parts {
		a, _ := p["approval"].(part)
		switch p["state"] {
		case "approval-requested":
			p.deny("The turn was cancelled.")
		case "approval-responded":
			if p["state"] = "output-denied"; a["approved"] == true {
				p.fail(interrupted)
			}
		case "input-available":
			p.fail(interrupted)
		case "output-available":
			delete(p, "preliminary")
		}
	}
}
