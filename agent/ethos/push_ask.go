package ethos

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// lenient reads what somebody waits for an answer to: members of another type
// than theirs are left out.
func lenient(raw []byte, into any) error {
	err := exactjson.Unmarshal(raw, into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}

// An approval is what is asked for, and by which name it is answered.
type approval struct {
	ApprovalID string    `json:"approvalId"`
	SessionID  string    `json:"sessionId"`
	ToolCallID string    `json:"toolCallId"`
	ToolName   string    `json:"toolName"`
	Args       agent.Raw `json:"args"`
	Reason     string    `json:"reason"`
}

// call is the id of the call that an approval is for.
func (a *approval) call() string {
	if a.ToolCallID == "" {
		return a.ApprovalID
	}
	return a.ToolCallID
}

// decisions are those that Ethos has a scope for: once, and for exactly these
// arguments. Its third scope, any arguments, nobody can choose here: no answer
// that an editor offers says as much.
var decisions = []agent.Decision{agent.AllowOnce, agent.AllowAlways, agent.RejectOnce}

func approvalRequired(d *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		Request approval `json:"request"`
	}
	if err := lenient(raw, &m); err != nil {
		return nil, err
	}
	a := &m.Request
	if a.ApprovalID == "" {
		return nil, fmt.Errorf("no approvalId: %w", errIncomplete)
	}
	d.asks.ask(a.ApprovalID, a.call())
	e := &agent.ConfirmationRequested{
		ConfirmationID: a.ApprovalID,
		ToolCallID:     a.call(),
		ToolName:       a.ToolName,
		Args:           a.Args,
		Reason:         a.Reason,
		Decisions:      decisions,
	}
	e.Extra = extra("approvalId", a.ApprovalID)
	tools.Fill(&e.View, e.ToolName, e.Args)
	return e, nil
}

func approvalResolved(d *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		ApprovalID string `json:"approvalId"`
		Decision   string `json:"decision"`
		DecidedBy  string `json:"decidedBy"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	e := &agent.ConfirmationResolved{ConfirmationID: m.ApprovalID, Decision: agent.RejectOnce}
	if m.Decision == "allow" {
		e.Decision = agent.AllowOnce
	}
	e.ToolCallID = d.asks.resolve(m.ApprovalID, e.Decision.Allows())
	e.Extra = extra("decidedBy", m.DecidedBy)
	return e, nil
}

func clarifyRequest(d *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		RequestID string            `json:"requestId"`
		Question  string            `json:"question"`
		Options   []json.RawMessage `json:"options"`
		Default   string            `json:"default"`
		JobID     string            `json:"jobId"` // of a run in the background that asks
		Deadline  string            `json:"defaultDeadlineAt"`
	}
	if err := lenient(raw, &m); err != nil {
		return nil, err
	}
	if m.RequestID == "" {
		return nil, fmt.Errorf("no requestId: %w", errIncomplete)
	}
	e := &agent.QuestionAsked{QuestionID: m.RequestID, Question: m.Question}
	for _, o := range m.Options {
		var option string
		if exactjson.Unmarshal(o, &option) == nil && option != "" {
			e.Options = append(e.Options, option)
		}
	}
	if m.Default != "" {
		e.Question += " (without an answer: " + m.Default + ")"
		d.asks.offer(m.RequestID, m.Default)
	}
	if m.JobID == "" {
		e.ToolCallID = d.calls.clarifying()
	}
	e.Extra = extra("defaultDeadlineAt", m.Deadline)
	return e, nil
}

// clarifyResolved is not told what a person answered elsewhere: that stands in
// the tool's result.
func clarifyResolved(d *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		RequestID string `json:"requestId"`
		Source    string `json:"source"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	e := &agent.QuestionAnswered{QuestionID: m.RequestID}
	fallback := d.asks.settle(m.RequestID)
	switch m.Source {
	case "user":
	case "timeout-default":
		e.Answer = fallback
	default:
		e.Cancelled = true
	}
	e.Extra = extra("source", m.Source)
	return e, nil
}
