package acpmap

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// Subagent announces the sub-agent that e starts or ends, with the session id child.
func Subagent(e agent.Event, child string) v1.Update {
	out := &v1.SubagentUpdate{SessionID: child, Capabilities: new(v1.Marker), State: &v1.SubagentState{State: v1.SubagentRuns}}
	switch e := e.(type) {
	case *agent.SubagentStart:
		if out.Title = label(e.Name); e.Name == "" {
			out.Title = label(e.Task)
		}
	case *agent.SubagentEnd:
		out.Title = label(e.Name)
	}
	return out
}

// SubagentIdle reports that the sub-agent with the session id child is idle, because s
// ended its call.
func SubagentIdle(s normalize.Step, child string) v1.Update {
	state := &v1.SubagentState{State: v1.SubagentIdle}
	reason := ""
	switch e := s.Event.(type) {
	case *agent.SubagentEnd:
		reason = e.Error
	case *agent.ToolEnd:
		reason = e.Error
	}
	switch {
	case s.Tool.Status == normalize.Completed:
		state.StopReason = v1.SubagentDone
	case s.Tool.Cancelled:
		state.StopReason = v1.SubagentCancelled
	default:
		state.StopReason = v1.SubagentFailed
		if reason != "" {
			state.Error = &v1.SubagentError{Code: protocol.CodeInternal, Message: label(reason)}
		}
	}
	return &v1.SubagentUpdate{SessionID: child, State: state}
}

// SubagentTask returns a message with the sub-agent's task, or nil.
func SubagentTask(e *agent.SubagentStart, parent, child string) v1.Update {
	if e.Task == "" {
		return nil
	}
	return sessionMessage("task", parent, child, e.Task)
}

// SubagentResult returns a message with the sub-agent's result, or nil.
func SubagentResult(e *agent.SubagentEnd, parent, child string) v1.Update {
	if e.Result == "" {
		return nil
	}
	return sessionMessage("result", child, parent, e.Result)
}

func sessionMessage(id, from, to, text string) v1.Update {
	return &v1.SessionMessage{
		MessageID: id, Sender: from, Recipient: to,
		Content: v1.Blocks{&v1.TextBlock{Text: normalize.Bounded(v1.NewText(text), normalize.MaxResult)}},
	}
}
