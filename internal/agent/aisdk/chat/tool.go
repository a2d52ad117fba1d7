package chat

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// interrupted is the error of a call that has no result, because models don't accept
// a conversation with such a call.
const interrupted = "The call was interrupted."

// addTool applies an element about a tool call.
func (m *Message) addTool(what string, l *dialect.Line) {
	p := m.call(what, l)
	if p == nil {
		return
	}
	if is(l, "providerExecuted") {
		p["providerExecuted"] = true
	}
	p.copy("input", l, "input")
	switch what {
	case "input-start":
		p["state"] = "input-streaming"
	case "input-available":
		p["state"] = "input-available"
		p.copy("callProviderMetadata", l, "providerMetadata")
	case "input-error", "output-error":
		p.fail(l.String("errorText"))
	case "approval-request": // the server checks the signature
		a := part{"id": l.OptionalKey("approvalId")}
		p["state"], p["approval"] = "approval-requested", a
		a.copy("requestReason", l, "reason")
		a.copy("signature", l, "signature")
		a.copy("descriptor", l, "approvalDescriptor")
		a.copy("inputSchemaInput", l, "inputSchemaInput")
		if is(l, "isAutomatic") {
			a["isAutomatic"] = true
		}
	case "approval-response":
		p.respond(is(l, "approved"), "")
	case "output-available":
		p["state"] = "output-available"
		p.copy("output", l, "output")
		p.copy("resultProviderMetadata", l, "providerMetadata")
	case "output-denied":
		p.deny("")
	}
}

// call returns the last call that an element is about, or nil. A call begins with the first
// element that names its tool.
func (m *Message) call(what string, l *dialect.Line) part {
	id, approval, tool := l.OptionalKey("toolCallId"), l.OptionalKey("approvalId"), l.OptionalKey("toolName")
	for _, p := range slices.Backward(m.Parts) {
		if what == "approval-response" && p.approval()["id"] == approval || what != "approval-response" && p["toolCallId"] == id {
			return p
		}
	}
	if tool == "" {
		return nil
	}
	p := part{"toolCallId": id, "type": "tool-" + tool}
	if is(l, "dynamic") {
		p["type"], p["toolName"] = "dynamic-tool", tool
	}
	m.Parts = append(m.Parts, p)
	return p
}

// approval returns the approval of a call, or nil.
func (p part) approval() part {
	a, _ := p["approval"].(part)
	return a
}

// respond answers the approval of a call.
func (p part) respond(approved bool, reason string) {
	a := p.approval()
	if a == nil {
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
	if p.approval()["approved"] != true {
		delete(p, "approval")
	}
}

// deny ends a call that was not approved.
func (p part) deny(reason string) {
	if p.approval() == nil {
		p["approval"] = part{"id": p["toolCallId"]}
	}
	p.respond(false, reason)
	p["state"] = "output-denied"
}

// Asked returns the ids of the approvals that wait for the user.
func (m *Message) Asked() (ids []string) {
	for _, p := range m.Parts {
		if p.isAsked() {
			id, _ := p.approval()["id"].(string)
			ids = append(ids, id)
		}
	}
	return ids
}

func (p part) isAsked() bool {
	return p["state"] == "approval-requested" && p.approval()["isAutomatic"] != true
}

// Decide answers the approvals. Only a decision that allows permits anything.
func (m *Message) Decide(decision func(id string) agent.ConfirmationResponse) {
	for _, p := range m.Parts {
		if p.isAsked() {
			id, _ := p.approval()["id"].(string)
			r := decision(id)
			p.respond(r.Decision.Allows(), r.Reason)
		}
	}
}

// Seal ends the message, and its calls without a result.
func (m *Message) Seal() {
	m.Parts = slices.DeleteFunc(m.Parts, func(p part) bool { return p["state"] == "input-streaming" })
	for _, p := range m.Parts {
		switch p["state"] {
		case "approval-requested":
			p.deny("The turn was cancelled.")
		case "approval-responded":
			if p["state"] = "output-denied"; p.approval()["approved"] == true {
				p.fail(interrupted)
			}
		case "input-available":
			p.fail(interrupted)
		}
	}
}
