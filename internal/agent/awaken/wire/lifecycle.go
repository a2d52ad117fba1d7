package wire

import (
	"cmp"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// runStart starts a run, resumes the suspended one, or starts a sub-agent's
// run. RunIdentity (contract/identity.rs) describes a run's lineage.
func (s *State) runStart(l *dialect.Line) {
	id, thread, identity := runID(l), l.Key("thread_id"), l.Object("identity")
	parent, call := cmp.Or(l.Key("parent_run_id"), identity.Key("parent_run_id")), identity.Key("parent_tool_call_id")
	name, origin := identity.Key("agent_id"), identity.Key("origin")
	if !l.OK() {
		return
	}
	_, grandchild := s.subruns.find(parent)
	if s.run.Phase != Ended && s.run.ID != "" && id != s.run.ID && (call != "" || parent == s.run.ID || grandchild) {
		r := s.subruns.add(id)
		l.Emit(&agent.SubagentStart{ID: r.callID, Name: name, RunID: id, ParentRunID: parent, ParentToolCallID: call})
		return
	}
	if s.run.Phase == Suspended && id != s.run.ID && !s.next {
		// A server cancels a suspended run when its thread receives a new task,
		// and may not report that in the new run's stream.
		l.Emit(&agent.Done{StopReason: agent.StopCancelled})
	}
	if s.begin(id, cmp.Or(thread, l.Top.OptionalKey("thread_id")), l.Form == olderForm) {
		return // resumed: the turn continues
	}
	s.forget()
	e := &agent.RunStart{Source: origin, TraceID: id}
	e.Extra = extra(l.Fields, "event_type", "type", "source", "traceId", "turnId", "provider", "model")
	l.Emit(e)
}

// runID returns the run that an event names. In the older form, the envelope
// names it.
func runID(l *dialect.Line) string { return cmp.Or(l.Key("run_id"), runOf(l)) }

func stepStart(_ *State, l *dialect.Line) {
	l.Emit(&agent.StepStart{StepID: l.Key("message_id")})
}

func stepEnd(_ *State, l *dialect.Line) { l.Emit(&agent.StepEnd{}) }

// streamReset withdraws the step: its text, and the unfinished calls that the
// user is not asked about. A sub-agent's step is not a step of this run.
func (s *State) streamReset(l *dialect.Line) {
	reason := l.String("reason")
	if !l.OK() {
		return
	}
	if _, ok := s.subruns.of(l); ok {
		l.Emit(&agent.Notice{Severity: "warning", Message: "A sub-agent is restarting a step.", Description: reason})
		return
	}
	s.calls.drop(func(id string) bool {
		_, open := s.run.Find(id)
		return open
	})
	l.Emit(&agent.StreamReset{Reason: reason})
}

// inferenceComplete follows the model's last output in a step. It reports the
// cost, and that complete calls run from now on. Calls that are still
// incomplete were cut off, and nothing will follow (loop_runner/step.rs).
func (s *State) inferenceComplete(l *dialect.Line) {
	usage := l.Object("usage")
	prompt, completion := usage.Int("prompt_tokens"), usage.Int("completion_tokens")
	read, created := max(usage.Int("cache_read_tokens"), 0), max(usage.Int("cache_creation_tokens"), 0)
	if !l.OK() {
		return
	}
	if _, nested := s.subruns.of(l); usage == nil || nested { // a sub-agent's context is not the session's
		l.Emit(&agent.Telemetry{Name: "inference_complete", Data: rawjson.CleanValue(l.JSON())})
	} else {
		e := &agent.Usage{
			InputTokens:         max(prompt-read-created, 0), // prompt_tokens includes cached tokens
			OutputTokens:        max(completion, 0),
			CacheReadTokens:     read,
			CacheCreationTokens: created,
		}
		e.Extra = extra(l.Fields, "event_type", "type", "usage", "turnId", "inputTokens", "outputTokens", "estimatedCostUsd",
			"cacheReadTokens", "cacheCreationTokens", "contextWindow")
		l.Emit(e)
	}
	for _, k := range s.calls.list {
		switch k.state {
		case whole:
			k.state = underway
			e := agent.ToolStart{ToolCallID: k.id, ToolName: k.name, Args: k.args}
			fill(&e.View, k.name, k.args)
			l.EmitStart(e)
		case writing:
			k.state = finished
			l.EmitEnd(agent.ToolEnd{ToolCallID: k.id, ToolName: k.name, Cancelled: true, Error: "the model did not finish writing this call"})
		case underway, finished:
		}
	}
}

// encrypted reports that there was a value, without the value, which is only
// for the model's provider.
func encrypted(_ *State, l *dialect.Line) {
	l.Emit(&agent.Telemetry{Name: "reasoning_encrypted_value"})
}

func messagesSnapshot(_ *State, l *dialect.Line) {
	l.Emit(&agent.Telemetry{Name: "messages_snapshot", Data: asWritten(l.Fields, "messages")})
}

func stateSnapshot(_ *State, l *dialect.Line) {
	l.Emit(&agent.StateSnapshot{Snapshot: asWritten(l.Fields, "snapshot")})
}

func stateDelta(_ *State, l *dialect.Line) {
	l.Emit(&agent.StateDelta{Delta: list(l, "delta")})
}

var errNoList = errors.New("its operations are not a list")

// list returns a member that must be a list or null.
func list(l *dialect.Line, key string) agent.Raw {
	if raw := l.Raw(key); raw != nil && raw[0] != '[' {
		l.Fault(errNoList)
	}
	return asWritten(l.Fields, key)
}
