package wire

import (
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// delegate is the tool with which a planner delegates a task to a specialist.
const delegate = "delegateToSpecialistAgent"

// maxNested limits how many calls of a sub-agent are shown.
const maxNested = 256

// delegation returns the start of a sub-agent, from the arguments of its call.
func (s *State) delegation(id string, args agent.Raw) *agent.SubagentStart {
	var task struct {
		Specialist string `json:"specialistId"`
		Task       string `json:"subTaskDescription"`
	}
	// If the arguments can't be decoded, the sub-agent has no name.
	_ = exactjson.Unmarshal(args, &task)
	if task.Specialist == "" {
		task.Specialist = delegate
	}
	return &agent.SubagentStart{ID: id, Name: task.Specialist, Task: task.Task, ParentRunID: s.run}
}

// subAgentStarts decodes agent.sub_agent.invocation.started.
func (s *State) subAgentStarts(l *dialect.Line) {
	var data struct {
		ID         string `json:"toolCallId"`
		Specialist string `json:"specialistId"`
		Task       string `json:"subTaskDescription"`
		RunID      string `json:"subAgentRunId"`
	}
	if !l.Read(&data) {
		return
	}
	if data.ID == "" {
		l.Fault(errNoCall)
		return
	}
	known := s.calls.of(data.ID)
	if known.open+known.ended > 0 {
		return // the call has started it
	}
	known.name, known.helper, known.announced = delegate, data.Specialist, false
	known.open++
	l.Emit(&agent.SubagentStart{ID: data.ID, Name: data.Specialist, Task: data.Task, RunID: data.RunID, ParentRunID: s.run})
}

// subAgentEnds decodes agent.sub_agent.invocation.completed, which repeats the
// result of the planner's call.
func (s *State) subAgentEnds(l *dialect.Line) {
	var data struct {
		ID         string     `json:"toolCallId"`
		Specialist string     `json:"specialistId"`
		Result     toolResult `json:"result"`
	}
	if !l.Read(&data) {
		return
	}
	if data.ID == "" {
		l.Fault(errNoCall)
		return
	}
	if !s.ends(data.ID) {
		return
	}
	if known := s.calls[data.ID]; known.helper == "" {
		known.helper = data.Specialist
	}
	s.subAgentResult(data.ID, data.Result, l)
}

// subAgentResult emits the calls that a sub-agent made, and its end.
func (s *State) subAgentResult(id string, r toolResult, l *dialect.Line) {
	var metadata struct {
		Events []json.RawMessage `json:"_rawSubAgentEventsForDebugging"`
	}
	// The events are debugging data. Without them there is less to show.
	_ = exactjson.Unmarshal(r.Metadata, &metadata)
	if !nestedCalls(id, metadata.Events, l) {
		return
	}
	event := &agent.SubagentEnd{ID: id, OK: r.ok(), Result: r.body().String(), Error: r.failure()}
	if known := s.calls[id]; known != nil {
		event.Name = known.helper
	}
	l.Emit(event)
}

// nestedCalls emits the tool calls in the events of a sub-agent's run, as
// children of the call parent. Their ids get a prefix, because a model may have
// used the same ids for the planner's calls. A sub-agent's own sub-agent is
// shown as one call, without nested calls.
func nestedCalls(parent string, events []json.RawMessage, l *dialect.Line) bool {
	count := 0
	for _, raw := range events {
		event := nestedCall(parent, raw)
		if event == nil {
			continue
		}
		if count++; count > 2*maxNested {
			return true
		}
		if !l.Emit(event) {
			return false
		}
	}
	return true
}

// nestedCall returns the start or the end of a call, or nil for any other or
// undecodable event.
func nestedCall(parent string, raw []byte) agent.Event {
	var e struct {
		Type string          `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if exactjson.Unmarshal(raw, &e) != nil {
		return nil
	}
	switch e.Type {
	case callCreated:
		var data callData
		if exactjson.Unmarshal(e.Data, &data) != nil || data.Call.ID == "" {
			return nil
		}
		c := data.Call
		event := &agent.ToolStart{ToolCallID: parent + "/" + c.ID, ToolName: c.Function.Name, Args: c.args(), ParentToolCallID: parent}
		tools.Fill(&event.View, event.ToolName, event.Args)
		return event
	case toolCompleted:
		var data resultData
		if exactjson.Unmarshal(e.Data, &data) != nil || data.ID == "" {
			return nil
		}
		return data.end(parent + "/" + data.ID)
	}
	return nil
}
