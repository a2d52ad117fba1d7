package wire

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

var errIncomplete = errors.New("the event is incomplete")

// lenient reads an event by which Ethos asks. It leaves out members of the wrong
// type: Ethos waits for an answer all the same. The web driver reads such events
// in the same way, so both agree on their ids.
func lenient(l *dialect.Line, into any) bool {
	err := exactjson.Unmarshal(rawjson.CleanValue(l.JSON()), into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = nil
	}
	if err != nil {
		l.Fault(err)
	}
	return err == nil
}

// An Approval is what Ethos asks to approve, and the name by which it is answered.
type Approval struct {
	ApprovalID string    `json:"approvalId"`
	SessionID  string    `json:"sessionId"`
	ToolCallID string    `json:"toolCallId"`
	ToolName   string    `json:"toolName"`
	Args       agent.Raw `json:"args"`
	Reason     string    `json:"reason"`
}

// Call is the id of the call that the approval is for.
func (a *Approval) Call() string {
	if a.ToolCallID == "" {
		return a.ApprovalID
	}
	return a.ToolCallID
}

// The ids of the options of an approval: the scopes of Ethos, and a refusal. What
// is allowed always is remembered by Ethos in its allowlist, for every session
// from then on.
const (
	OptionOnce      = "once"
	OptionExactArgs = "exact-args"
	OptionAnyArgs   = "any-args"
	OptionReject    = "reject"
)

// maxName bounds the tool's name in the label of an option, in runes.
const maxName = 40

// options are those of an approval, said as what they are.
func options(tool string) []agent.ConfirmationOption {
	if runes := []rune(tool); len(runes) > maxName {
		tool = string(runes[:maxName]) + "…"
	}
	all := []agent.ConfirmationOption{
		{ID: OptionOnce, Name: "Allow once", Kind: agent.AllowOnce},
		{ID: OptionExactArgs, Name: "Always allow exactly this, in all sessions", Kind: agent.AllowAlways},
	}
	if tool != "" {
		all = append(all, agent.ConfirmationOption{
			ID: OptionAnyArgs, Name: "Always allow " + tool + " with any arguments, in all sessions", Kind: agent.AllowAlways,
		})
	}
	return append(all, agent.ConfirmationOption{ID: OptionReject, Name: "Reject", Kind: agent.RejectOnce})
}

func (s *state) approvalRequired(l *dialect.Line) {
	var push struct {
		Request Approval `json:"request"`
	}
	if !lenient(l, &push) {
		return
	}
	a := &push.Request
	if a.ApprovalID == "" {
		l.Fault(fmt.Errorf("no approvalId: %w", errIncomplete))
		return
	}
	remember(s.approvals, maxAsks, a.ApprovalID, a.Call())
	e := &agent.ConfirmationRequested{
		ConfirmationID: a.ApprovalID,
		ToolCallID:     a.Call(),
		ToolName:       a.ToolName,
		Args:           a.Args,
		Reason:         a.Reason,
		Options:        options(a.ToolName),
	}
	e.Extra = extra("approvalId", a.ApprovalID)
	tools.Fill(&e.View, e.ToolName, e.Args)
	l.Emit(e)
}

// approvalResolved ends an approval. The approval's own id stands for a call that
// is not known: it names no call, so the user sees nothing.
func (s *state) approvalResolved(l *dialect.Line) {
	var push struct {
		ApprovalID string `json:"approvalId"`
		Decision   string `json:"decision"`
		DecidedBy  string `json:"decidedBy"`
	}
	if !l.Read(&push) {
		return
	}
	e := &agent.ConfirmationResolved{ConfirmationID: push.ApprovalID, ToolCallID: push.ApprovalID, Decision: agent.RejectOnce}
	if push.Decision == "allow" {
		e.Decision = agent.AllowOnce
	}
	if call, ok := take(s.approvals, push.ApprovalID); ok {
		e.ToolCallID = call
		if !e.Decision.Allows() {
			remember(s.denied, maxAsks, call, true)
		}
	}
	e.Extra = extra("decidedBy", push.DecidedBy)
	l.Emit(e)
}

func (s *state) clarifyRequest(l *dialect.Line) {
	var push struct {
		RequestID string            `json:"requestId"`
		Question  string            `json:"question"`
		Options   []json.RawMessage `json:"options"`
		Default   string            `json:"default"`
		JobID     string            `json:"jobId"` // of a run in the background that asks
		Deadline  string            `json:"defaultDeadlineAt"`
	}
	if !lenient(l, &push) {
		return
	}
	if push.RequestID == "" {
		l.Fault(fmt.Errorf("no requestId: %w", errIncomplete))
		return
	}
	e := &agent.QuestionAsked{QuestionID: push.RequestID, Question: push.Question}
	for _, o := range push.Options {
		var option string
		if exactjson.Unmarshal(o, &option) == nil && option != "" {
			e.Options = append(e.Options, option)
		}
	}
	if push.Default != "" {
		e.Question += " (without an answer: " + push.Default + ")"
		remember(s.defaults, maxAsks, push.RequestID, push.Default)
	}
	if call, count := s.calls.of("clarify"); count == 1 && push.JobID == "" {
		e.ToolCallID = call
	}
	e.Extra = extra("defaultDeadlineAt", push.Deadline)
	l.Emit(e)
}

// clarifyResolved does not say what the user answered elsewhere: that stands in
// the tool's result.
func (s *state) clarifyResolved(l *dialect.Line) {
	var push struct {
		RequestID string `json:"requestId"`
		Source    string `json:"source"`
	}
	if !l.Read(&push) {
		return
	}
	e := &agent.QuestionAnswered{QuestionID: push.RequestID}
	fallback, _ := take(s.defaults, push.RequestID)
	switch push.Source {
	case "user":
	case "timeout-default":
		e.Answer = fallback
	default:
		e.Cancelled = true
	}
	e.Extra = extra("source", push.Source)
	l.Emit(e)
}
