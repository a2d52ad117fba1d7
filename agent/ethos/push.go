package ethos

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// A pushed event is one that the web API has beside the AgentEvents
// (packages/web-contracts/src/events.ts).
type pushed struct {
	name string
	own  bool // no other dialect has a type of this name
	// make makes an event of one, which is an object of clean JSON.
	make func(d *decoder, raw []byte) (agent.Event, error)
}

var pushes = []pushed{
	{"stream_meta", true, telemetry},
	{"message_persisted", true, telemetry},
	{"tool.approval_required", true, approvalRequired},
	{"approval.resolved", true, approvalResolved},
	{"clarify.request", true, clarifyRequest},
	{"clarify.resolved", true, clarifyResolved},
	{"run.update", true, telemetry},
	{"cron.fired", true, telemetry},
	{"mesh.changed", true, telemetry},
	{"evolve.skill_pending", true, skillPending},
	{"evolve.skill_applied", true, telemetry},
	{"notification", false, notification},
	{"memory.captured", true, telemetry},
	{"protocol.upgrade_required", true, upgradeRequired},
}

// push finds a pushed event by its type.
func push(kind []byte) *pushed {
	for i := range pushes {
		if string(kind) == pushes[i].name {
			return &pushes[i]
		}
	}
	return nil
}

func (p *pushed) decode(d *decoder, raw []byte, yield func(agent.Event) bool) error {
	e, err := p.make(d, jsontext.CleanValue(bytes.TrimSpace(raw)))
	if err != nil {
		return &dialect.MalformedError{Type: p.name, Raw: raw, Err: err}
	}
	if e != nil {
		yield(e)
	}
	return nil
}

// telemetry keeps what is for programs: how the connection is called, what was
// stored, what goes on beside the turn.
func telemetry(_ *decoder, raw []byte) (agent.Event, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(raw, &head); err != nil {
		return nil, err
	}
	return &agent.Telemetry{Name: head.Type, Data: raw}, nil
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
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	a := &m.Request
	if a.ApprovalID == "" {
		return nil, fmt.Errorf("no approvalId: %w", errIncomplete)
	}
	d.asks.ask(a.ApprovalID, a.call())
	e := &agent.ConfirmationRequested{
		ToolCallID: a.call(),
		ToolName:   a.ToolName,
		Args:       a.Args,
		Reason:     a.Reason,
		Decisions:  decisions,
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
	e := &agent.ConfirmationResolved{Decision: agent.RejectOnce}
	if m.Decision == "allow" {
		e.Decision = agent.AllowOnce
	}
	e.ToolCallID = d.asks.resolve(m.ApprovalID, e.Decision.Allows())
	e.Extra = extra("decidedBy", m.DecidedBy)
	return e, nil
}

func clarifyRequest(d *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		RequestID string   `json:"requestId"`
		Question  string   `json:"question"`
		Options   []string `json:"options"`
		Default   string   `json:"default"`
		JobID     string   `json:"jobId"` // of a run in the background that asks
		Deadline  string   `json:"defaultDeadlineAt"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	if m.RequestID == "" {
		return nil, fmt.Errorf("no requestId: %w", errIncomplete)
	}
	e := &agent.QuestionAsked{QuestionID: m.RequestID, Question: m.Question, Options: m.Options}
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

func skillPending(_ *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		SkillID string `json:"skillId"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	return &agent.Notice{Severity: "info", Message: strings.TrimSpace("Ethos has written a skill that waits for your approval in its web UI: " + m.SkillID)}, nil
}

func notification(_ *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		Message string `json:"message"`
		Source  string `json:"source"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	return &agent.Notification{PluginID: m.Source, Message: m.Message}, nil
}

func upgradeRequired(_ *decoder, raw []byte) (agent.Event, error) {
	var m struct {
		Server string `json:"serverVersion"`
		Client string `json:"clientVersionExpected"`
	}
	if err := exactjson.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	return &agent.Notice{
		Severity:    "warning",
		Message:     "This Ethos server expects another version of its clients",
		Description: fmt.Sprintf("It is version %s and expects clients of version %s. Some of what it says may be missing here.", m.Server, m.Client),
	}, nil
}

// extra is a member that the canonical event does not have; nil where its
// value is empty.
func extra(name, value string) []byte {
	if value == "" {
		return nil
	}
	out := append(jsontext.AppendString([]byte(nil), name), ':')
	return jsontext.AppendString(out, value)
}
