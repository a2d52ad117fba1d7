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

// lenient decodes a request from Ethos. It ignores members of the wrong type,
// because Ethos waits for an answer anyway. The web driver decodes such events in
// the same way, so that both agree on the ids.
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

// An Approval is a request for approval from Ethos.
type Approval struct {
	ApprovalID string    `json:"approvalId"`
	SessionID  string    `json:"sessionId"`
	ToolCallID string    `json:"toolCallId"`
	ToolName   string    `json:"toolName"`
	Args       agent.Raw `json:"args"`
	Reason     string    `json:"reason"`
}

// Call returns the id of the call that needs the approval.
func (a *Approval) Call() string {
	if a.ToolCallID == "" {
		return a.ApprovalID
	}
	return a.ToolCallID
}

// The option ids of an approval: the scopes of Ethos, and a refusal. Ethos stores
// permanent approvals in its allowlist, for every later session.
const (
	OptionOnce      = "once"
	OptionExactArgs = "exact-args"
	OptionAnyArgs   = "any-args"
	OptionReject    = "reject"
)

// maxName limits the tool's name in an option's label, in runes.
const maxName = 40

// options returns the options of an approval, with names that state their effect.
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
		l.Fault(fmt.Errorf("approvalId: %w", errIncomplete))
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

// approvalResolved ends an approval. If the call is unknown, the approval's own id
// is used: it names no call, so the user sees nothing.
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
		JobID     string            `json:"jobId"` // of the background run that asks
		Deadline  string            `json:"defaultDeadlineAt"`
	}
	if !lenient(l, &push) {
		return
	}
	if push.RequestID == "" {
		l.Fault(fmt.Errorf("requestId: %w", errIncomplete))
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

// clarifyResolved reports that a question was answered. An answer given elsewhere
// is only in the tool's result.
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
