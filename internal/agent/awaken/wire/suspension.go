package wire

import (
	"cmp"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// permissionAction is the action of a suspension that asks whether a tool may
// run (awaken-ext-permission).
const permissionAction = "tool:PermissionConfirm"

// A Suspension is a tool call that waits for a decision.
type Suspension struct {
	ID         string // the suspension's id
	CallID     string
	Permission bool   // it asks whether the tool may run
	Answer     Answer // the possible answers to a question

	name    string // of the tool
	message string
	source  source
}

// A source is the event that announced a suspension. Suspensions of one call
// from different sources are the same.
type source int

const (
	byCall source = iota // the call is suspended
	byTool               // in the older form, a tool requests a permission
)

// suspended asks the user what a call waits for, or reports that it waits. The
// result contains a SuspendTicket (contract/suspension.rs).
func (s *State) suspended(l *dialect.Line, id string, r toolResult) {
	ticket, pending := object(r.ticket.Fields, "suspension"), object(r.ticket.Fields, "pending")
	n := Suspension{
		ID:         cmp.Or(ticket.OptionalKey("id"), pending.OptionalKey("id"), id), // the server accepts any of these
		CallID:     id,
		Permission: ticket.OptionalKey("action") == permissionAction,
		name:       r.name,
		message:    ticket.OptionalKey("message"),
		source:     byCall,
	}
	if k := s.calls.find(id); n.name == "" && k != nil {
		n.name = k.name
	}
	if n.Permission {
		args := argumentsIn(ticket, "parameters")
		if args == nil {
			args = argumentsIn(pending, "arguments")
		}
		s.request(l, n, args)
		return
	}
	n.message = cmp.Or(n.message, questionIn(object(pending, "arguments")), questionIn(object(ticket, "parameters")), r.message.String())
	ok := false
	if r.ticket.raw != nil {
		n.Answer, ok = answerTo(r.ticket.OptionalKey("resume_mode"), ticket.Raw("response_schema"))
	}
	if !ok {
		s.notice(l, n)
		return
	}
	s.request(l, n, nil)
}

// argumentsIn returns the arguments of the call that needs a permission. The
// older form wraps them together with the tool's name.
func argumentsIn(f *dialect.Fields, key string) agent.Raw {
	v := valueOf(f, key)
	if valueOf(v.Fields, "tool_name").isString() {
		return v.Raw("tool_args")
	}
	return v.raw
}

// questionIn returns a tool's question from its arguments, for tools that send
// no message.
func questionIn(args *dialect.Fields) string {
	return cmp.Or(args.OptionalKey("question"), args.OptionalKey("prompt"), args.OptionalKey("message"))
}

// askInOlderForm decodes the call of the tool that requests a permission. The
// suspended call, which has the same content, may precede or follow it.
func (s *State) askInOlderForm(l *dialect.Line, id string, args value) {
	name := args.OptionalKey("tool_name")
	s.request(l, Suspension{ID: id, CallID: s.confirmed(id, name), Permission: true, name: name, source: byTool}, args.Raw("tool_args"))
}

// confirmed returns the call that needs a permission. The id of the requesting
// call contains the call's id; otherwise, it is the last waiting call with that
// name.
func (s *State) confirmed(id, name string) string {
	own, cut := strings.CutPrefix(id, confirmPrefix)
	if cut && s.calls.find(own) != nil {
		return own
	}
	for _, k := range slices.Backward(s.calls.list) {
		if k.name == name && k.state != finished {
			if _, asked := s.run.Find(k.id); !asked {
				return k.id
			}
		}
	}
	return id
}

// request asks the user, once. The event store repeats a suspension as a request for
// permission, and the older form repeats it as the call of a tool.
func (s *State) request(l *dialect.Line, n Suspension, args agent.Raw) {
	if k := s.calls.running(n.CallID); k != nil {
		k.advance(underway)
		n.name = cmp.Or(n.name, k.name)
		if len(k.args) > 0 {
			args = k.args
		}
	}
	known, taken := s.suspend(n)
	switch {
	case taken && n.Permission:
		e := &agent.ConfirmationRequested{
			ConfirmationID: n.ID, ToolCallID: n.CallID, ToolName: n.name, Args: args, Reason: n.message,
			Decisions: []agent.Decision{agent.AllowOnce, agent.RejectOnce},
		}
		fill(&e.View, n.name, args)
		l.Emit(e)
	case taken:
		question := cmp.Or(n.message, toolNamed(n.name)+" waits for an answer.")
		l.Emit(&agent.QuestionAsked{
			QuestionID: n.ID, Question: question, Options: n.Answer.names(), Multiple: n.Answer.multiple, ToolCallID: n.CallID,
		})
	case !known:
		s.notice(l, n)
	}
}

// notice reports that a call waits for something that the user can't be asked.
// The call is refused together with the run, which ends if it waits for nothing
// else.
func (s *State) notice(l *dialect.Line, n Suspension) {
	if k := s.calls.open(n.CallID, n.name); !k.noticed {
		k.noticed = true
		l.Emit(&agent.Notice{
			Severity: "warning", Message: toolNamed(n.name) + " waits for something that cannot be provided here.", Description: n.message,
		})
	}
}

func toolNamed(name string) string {
	if name == "" {
		return "A tool"
	}
	return "The tool " + name
}
