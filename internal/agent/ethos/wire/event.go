package wire

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// event emits a bare event, adjusted to its meaning in Ethos.
func (s *state) event(l *dialect.Line, e agent.Event) {
	switch e := e.(type) {
	case *agent.RunStart:
		s.begin(s.prompt.id)
	case *agent.ToolStart:
		s.calls.start(e)
		tools.Fill(&e.View, e.ToolName, e.Args)
	case *agent.ToolEnd:
		s.toolEnd(l, e)
		return
	case *agent.ToolProgress:
		l.Emit(s.progress(e))
		return
	case *agent.Halt:
		l.Emit(s.halt(e))
		return
	case *agent.Error:
		s.prompt.failed = true
		if e.Code == "aborted" || e.Code == "abort" { // the second is from older versions
			l.Emit(&agent.Done{StopReason: agent.StopCancelled})
			return
		}
	case *agent.Done:
		s.done(l, e)
		return
	}
	native.Emit(l, e)
}

// done ends a turn. While a prompt is running, only its response does.
func (s *state) done(l *dialect.Line, e *agent.Done) {
	s.limit(e)
	if s.prompt.id != "" {
		pending := *e
		pending.Extra = bytes.Clone(e.Extra)
		s.prompt.pending = &pending
		return
	}
	s.limited = false
	l.Emit(e)
}

// limit sets the stop reason of a turn that has used up its tool calls.
func (s *state) limit(e *agent.Done) {
	if s.limited && e.StopReason == "" {
		e.StopReason = agent.StopMaxTurnRequests
	}
}

// toolEnd ends a call, and updates the plan after a call of a todo tool.
func (s *state) toolEnd(l *dialect.Line, e *agent.ToolEnd) {
	ended, _ := take(s.calls, e.ToolCallID)
	if e.Error != "" && e.Error == e.Result.String() {
		e.Error = "" // both contain the reason for a refusal
	}
	if string(e.Structured) == "null" {
		e.Structured = nil
	}
	if denied, _ := take(s.denied, e.ToolCallID); denied && !e.OK {
		e.Cancelled = true
	}
	if !e.OK || !isTodo(ended.name) {
		l.Emit(e)
		return
	}
	result := e.Result.String() // read it before Emit: the receiver may change the event
	if l.Emit(e) && s.plan.apply(ended, result) {
		l.Emit(s.plan.event())
	}
}
