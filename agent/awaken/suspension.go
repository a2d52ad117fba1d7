package awaken

import (
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// permissionAction is the action of a suspension that asks whether a tool may
// run (awaken-ext-permission).
const permissionAction = "tool:PermissionConfirm"

// A suspension is a tool call that waits for a decision.
type suspension struct {
	id         string // its own
	source     source
	callID     string
	name       string // of the tool
	args       json.RawMessage
	permission bool
	message    string
	answer     answer // what may be said to a question
}

// A source is where a suspension was told of. What two of them tell of one call
// is the same.
type source int

const (
	byCall source = iota // the call is suspended
	byTool               // the older form's tool asks for a permission
)

// lenient reads what somebody may wait for an answer to: members of another type
// than theirs are left out.
func lenient(raw []byte, into any) error {
	err := exactjson.Unmarshal(raw, into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}

// ticket is a SuspendTicket (contract/suspension.rs).
type ticket struct {
	Suspension struct {
		ID             string          `json:"id"`
		Action         string          `json:"action"`
		Message        string          `json:"message"`
		Parameters     json.RawMessage `json:"parameters"`
		ResponseSchema json.RawMessage `json:"response_schema"`
	} `json:"suspension"`
	Pending struct {
		ID        string          `json:"id"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"pending"`
	ResumeMode string `json:"resume_mode"`
}

// suspend asks the person what a call waits for, or tells them that it waits.
func (d *decoder) suspend(f toolFields, r toolResult) {
	var t ticket
	readable := r.ticket != nil && lenient(r.ticket, &t) == nil
	s := suspension{id: t.Suspension.ID, source: byCall, callID: f.ID, name: r.name, message: t.Suspension.Message}
	if s.id == "" {
		s.id = t.Pending.ID
	}
	if s.id == "" {
		s.id = f.ID // either is good for the server
	}
	if s.name == "" {
		if k := d.calls.find(f.ID); k != nil {
			s.name = k.name
		}
	}
	s.permission = t.Suspension.Action == permissionAction
	if s.permission {
		s.args = argumentsIn(t)
		d.ask(s)
		return
	}
	if s.message == "" {
		s.message = questionIn(t)
	}
	if s.message == "" {
		s.message = r.message
	}
	ok := false
	if readable {
		s.answer, ok = answerTo(t.ResumeMode, t.Suspension.ResponseSchema)
	}
	if !ok {
		d.notice(s)
		return
	}
	d.ask(s)
}

// notice tells of a call that waits for what nobody can be asked: it is refused
// with the run, which ends where it waits for nothing else.
func (d *decoder) notice(s suspension) {
	if k := d.calls.open(s.callID, s.name); !k.noticed {
		k.noticed = true
		d.emit(&agent.Notice{
			Severity: "warning", Message: named(s.name) + " waits for something that cannot be given from here.", Description: s.message,
		})
	}
}

func named(tool string) string {
	if tool == "" {
		return "A tool"
	}
	return "The tool " + tool
}

// argumentsIn are those of the call that a permission is asked for. The older
// form wraps them together with the tool's name.
func argumentsIn(t ticket) json.RawMessage {
	for _, raw := range []json.RawMessage{t.Suspension.Parameters, t.Pending.Arguments} {
		var wrapped struct {
			ToolName *string         `json:"tool_name"`
			ToolArgs json.RawMessage `json:"tool_args"`
		}
		if exactjson.Unmarshal(raw, &wrapped) == nil && wrapped.ToolName != nil {
			raw = wrapped.ToolArgs
		}
		if present(raw) {
			return raw
		}
	}
	return nil
}

// questionIn is what a tool asks that has no message: tools that ask have it
// among their arguments.
func questionIn(t ticket) string {
	for _, raw := range []json.RawMessage{t.Pending.Arguments, t.Suspension.Parameters} {
		var f map[string]json.RawMessage
		_ = exactjson.Unmarshal(raw, &f)
		for _, key := range []string{"question", "prompt", "message"} {
			if s := str(f[key]); s != "" {
				return s
			}
		}
	}
	return ""
}

// ask asks the person, once: the event store repeats a suspension as a request
// for permission, and the older form as the call of a tool.
func (d *decoder) ask(s suspension) {
	k := d.calls.find(s.callID)
	if k != nil && k.state != finished {
		k.state = max(k.state, underway)
		if s.name == "" {
			s.name = k.name
		}
		if s.permission && k.args != nil {
			s.args = k.args
		}
	}
	known, taken := d.run.suspend(s)
	if !known && !taken {
		d.notice(s)
	}
	if !taken {
		return
	}
	if s.permission {
		e := &agent.ConfirmationRequested{
			ConfirmationID: s.id, ToolCallID: s.callID, ToolName: s.name, Args: s.args, Reason: s.message,
			Decisions: []agent.Decision{agent.AllowOnce, agent.RejectOnce},
		}
		fill(&e.View, s.name, s.args)
		d.emit(e)
		return
	}
	question := s.message
	if question == "" {
		question = named(s.name) + " waits for an answer."
	}
	d.emit(&agent.QuestionAsked{
		QuestionID: s.id, Question: question, Options: s.answer.names(), Multiple: s.answer.multiple, ToolCallID: s.callID,
	})
}
