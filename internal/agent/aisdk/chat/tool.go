package chat

import (
	"iter"
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/conversation"
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

// asked yields the calls whose approval waits for the user, by the approval's id.
func (m *Message) asked() iter.Seq2[string, part] {
	return func(yield func(string, part) bool) {
		for _, p := range m.Parts {
			a := p.approval()
			id, _ := a["id"].(string)
			if p["state"] == "approval-requested" && a["isAutomatic"] != true && !yield(id, p) {
				return
			}
		}
	}
}

// Asked returns the ids of the approvals that wait for the user.
func (m *Message) Asked() (ids []string) {
	for id := range m.asked() {
		ids = append(ids, id)
	}
	return ids
}

// Decide answers the approvals. Only a decision that allows permits anything.
func (m *Message) Decide(answers map[string]conversation.Answer) {
	for id, p := range m.asked() {
		p.respond(answers[id].Allows(), answers[id].Decision.Reason)
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
