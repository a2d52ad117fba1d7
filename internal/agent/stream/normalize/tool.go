package normalize

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// addToCall handles an event about a tool call, a question or a sub-agent.
func (t *Normalizer) addToCall(e agent.Event) {
	switch e := e.(type) {
	case *agent.ToolPending:
		t.announceWith(e, &e.ToolCallID, &e.ParentToolCallID, announced{id: e.ToolCallID, name: e.ToolName, parent: e.ParentToolCallID, view: e.View})
	case *agent.ApprovalRequired:
		t.announceWith(e, &e.ToolCallID, nil, announced{id: e.ToolCallID, name: e.ToolName, args: e.Args})
	case *agent.ToolReady:
		t.announceWith(e, &e.ToolCallID, &e.ParentToolCallID, announced{id: e.ToolCallID, name: e.ToolName, parent: e.ParentToolCallID, args: e.Args, view: e.View, complete: true})
	case *agent.ToolStart:
		t.announceWith(e, &e.ToolCallID, &e.ParentToolCallID, announced{
			id: e.ToolCallID, name: e.ToolName, parent: e.ParentToolCallID, args: e.Args, view: e.View,
			status: Running, hidden: hidden(e.Audience),
		})
	case *agent.SubagentStart:
		view := agent.View{Kind: "think", Title: e.Name}
		if e.Task != "" {
			view.Title = strings.TrimPrefix(e.Name+": "+e.Task, ": ")
		}
		t.announceWith(e, &e.ID, &e.ParentToolCallID, announced{id: e.ID, name: e.Name, parent: e.ParentToolCallID, view: view, status: Running})
	case *agent.ToolArgsDelta:
		t.addArgs(e)
	case *agent.ToolProgress:
		t.progress(e)
	case *agent.ToolOutput:
		t.addOutput(e)
	case *agent.ToolEnd:
		t.endCall(e)
	case *agent.SubagentEnd:
		t.endSubagent(e)
	case *agent.ConfirmationRequested, *agent.ConfirmationResolved, *agent.QuestionAsked:
		t.addRequest(e)
	case *agent.ApprovalResponse:
		tool := t.calls.find(e.ToolCallID)
		if tool != nil && tool.hidden {
			tool = nil
		}
		if tool != nil {
			e.ToolCallID = tool.ID
		}
		t.yieldApart(Step{Event: e, Tool: tool})
	default:
		t.yieldApart(Step{Event: e}) // such as halts and the start of the run
	}
}

func hidden(a agent.Audience) bool {
	return a == agent.ForInternal || a == agent.ForDashboard
}

// announceWith yields e, which announces or starts a call. The ids in e become those under which
// the calls are shown. parent may be nil.
func (t *Normalizer) announceWith(e agent.Event, id, parent *string, a announced) {
	tool, first := t.announce(a)
	*id = tool.ID
	if a.parent != "" {
		*parent = tool.Parent
	}
	if tool.hidden {
		return
	}
	t.text.interrupt()
	t.yieldCall(Step{Event: e, Tool: tool, First: first})
}

// addArgs adds a piece of a call's arguments. If they become too long, all of
// them are dropped: arguments with a gap would be wrong.
func (t *Normalizer) addArgs(e *agent.ToolArgsDelta) {
	tool := t.findOrAnnounce(e.ToolCallID, "", Pending)
	if tool.Status.Terminal() {
		return
	}
	if tool.argsLost = tool.argsLost || len(tool.argsText)+e.Delta.Len() > maxArgs; tool.argsLost {
		tool.argsText = nil
	} else {
		tool.argsText = append(tool.argsText, rawjson.Body(e.Delta)...)
	}
	e.Delta = e.Delta.Clean() // argsText keeps the surrogates and reunites them
	if !tool.hidden {
		e.ToolCallID = tool.ID
		t.yield(Step{Event: e, Tool: tool})
	}
}

// progress yields progress if it is addressed to the user. A tool name that
// begins with an underscore belongs to no call: its progress becomes a notice.
func (t *Normalizer) progress(e *agent.ToolProgress) {
	if e.Audience != agent.ForUser {
		return
	}
	if e.ToolCallID == "" && strings.HasPrefix(e.ToolName, "_") {
		t.yieldApart(Step{Event: &agent.Notice{Severity: "warning", Message: e.Message}})
		return
	}
	tool := t.calls.onlyOpen(e.ToolName)
	if e.ToolCallID != "" {
		tool = t.calls.find(e.ToolCallID)
	}
	if tool == nil || tool.hidden || tool.Status.Terminal() {
		t.yield(Step{Event: e})
		return
	}
	e.ToolCallID = tool.ID
	tool.Status = Running
	t.yieldCall(tool.progress(e))
}

// endCall ends a call once. A second end is used only if it has a result and the
// first one had none.
func (t *Normalizer) endCall(e *agent.ToolEnd) {
	tool := t.calls.find(e.ToolCallID)
	if e.ToolCallID == "" {
		tool = t.calls.onlyOpen(e.ToolName)
	}
	has := !e.Result.IsZero() || len(e.Content) > 0 || e.Error != "" || present(e.Structured)
	if tool != nil && tool.Status.Terminal() {
		if has && !tool.answered && !tool.hidden {
			tool.answered = true
			t.yieldEnd(tool, e, false)
		}
		return
	}
	if e.OK && (hidden(e.Audience) || tool != nil && tool.hidden) {
		if tool == nil {
			return
		}
		if tool.hidden {
			t.finish(tool, Completed)
			return
		}
		e.Result, e.Content, e.Structured = agent.Text{}, nil, nil
	}
	if tool == nil {
		tool = t.findOrAnnounce(e.ToolCallID, e.ToolName, Running)
	}
	t.reveal(tool) // failures are always shown
	tool.Cancelled = e.Cancelled && !e.OK
	tool.answered = has
	status := Failed
	if e.OK {
		status = Completed
	}
	tool.Status = status
	t.addTerminal(tool, e.TerminalID)
	t.describeEnd(tool, e.View)
	t.yieldEnd(tool, e, false)
	t.finish(tool, status)
}

func (t *Normalizer) yieldEnd(tool *Tool, e *agent.ToolEnd, closed bool) {
	e.ToolCallID, e.ToolName = tool.ID, tool.Name
	e.OK = tool.Status == Completed
	e.Result = Bounded(e.Result, MaxResult)
	e.Error = Short(e.Error)
	if e.Structured != nil {
		e.Structured = readable(e.Structured)
	}
	t.text.interrupt()
	tool.output.add(tool.output.half.Clean()) // no other half will follow
	t.yieldCall(Step{Event: e, Tool: tool, Output: rawjson.Wrap(tool.output.whole()), Closed: closed})
}

func (t *Normalizer) endSubagent(e *agent.SubagentEnd) {
	if tool := t.calls.find(e.ID); tool != nil && tool.Status.Terminal() {
		return
	}
	tool := t.findOrAnnounce(e.ID, e.Name, Running)
	status := Failed
	if e.OK {
		status = Completed
	}
	if e.OK && tool.hidden {
		t.finish(tool, status)
		return
	}
	t.reveal(tool)
	tool.Status = status
	e.ID = tool.ID
	t.yieldCall(Step{Event: e, Tool: tool, Output: rawjson.Wrap(tool.output.whole())})
	t.finish(tool, status)
}

// finish sets the terminal status, and frees everything that a second end doesn't
// need.
func (t *Normalizer) finish(tool *Tool, s Status) {
	tool.Status = s
	tool.Args, tool.argsText, tool.output = nil, nil, output{}
	tool.View.Diffs, tool.given.Diffs = nil, nil
	tool.shown.args, tool.shown.diffs = nil, nil
	t.calls.end(tool)
}

// closeAll ends the calls that the agent left open.
func (t *Normalizer) closeAll(cancelled bool, why string) {
	for len(t.calls.open) > 0 {
		t.closeCall(t.calls.open[0], cancelled, why)
	}
}

// stillRunning describes a call that was running when its turn was cancelled. The
// cancel asks the agent to stop it, but can't make sure that it does.
const stillRunning = "the turn was cancelled while this ran; it may still be running"

// closeCancelled ends the calls of a cancelled turn. why is the error for calls
// that were not running.
func (t *Normalizer) closeCancelled(why string) {
	for len(t.calls.open) > 0 {
		tool, reason := t.calls.open[0], why
		if tool.Status == Running && !tool.asking {
			reason = stillRunning
		}
		t.closeCall(tool, true, reason)
	}
}

func (t *Normalizer) closeCall(tool *Tool, cancelled bool, why string) {
	if !tool.hidden {
		tool.Status, tool.Cancelled = Failed, cancelled
		t.yieldEnd(tool, &agent.ToolEnd{Error: why, Cancelled: cancelled}, true)
	}
	t.finish(tool, Failed)
}
