package wire

import (
	"cmp"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Table declares the events.
var Table = dialect.Table[State]{
	Name: "agui",
	Forms: []dialect.Form[State]{{Type: "type", Kinds: []dialect.Kind[State]{
		{Name: "RUN_STARTED", Decode: runStarted},
		{Name: "RUN_FINISHED", Decode: runFinished},
		{Name: "RUN_ERROR", Decode: runError},
		{Name: "STEP_STARTED", Event: func(l *dialect.Line) agent.Event {
			return &agent.StepStart{StepID: l.String("stepName")}
		}},
		{Name: "STEP_FINISHED", Event: func(l *dialect.Line) agent.Event {
			return &agent.StepEnd{StepID: l.String("stepName")}
		}},
		{Name: "TEXT_MESSAGE_START", Decode: textStart},
		{Name: "TEXT_MESSAGE_CONTENT", Decode: textContent},
		{Name: "TEXT_MESSAGE_END", Decode: textEnd},
		{Name: "TEXT_MESSAGE_CHUNK", Decode: textChunk},
		{Name: "REASONING_MESSAGE_CONTENT", Decode: reasoning},
		{Name: "REASONING_MESSAGE_CHUNK", Decode: reasoning},
		{Name: "REASONING_ENCRYPTED_VALUE", Event: func(l *dialect.Line) agent.Event {
			return &agent.Telemetry{Name: l.Name}
		}},
		{Name: "THINKING_TEXT_MESSAGE_CONTENT", Decode: reasoning},
		// These events only bracket others.
		{Name: "REASONING_START"}, {Name: "REASONING_MESSAGE_START"}, {Name: "REASONING_MESSAGE_END"}, {Name: "REASONING_END"},
		{Name: "THINKING_START"}, {Name: "THINKING_TEXT_MESSAGE_START"}, {Name: "THINKING_TEXT_MESSAGE_END"}, {Name: "THINKING_END"},
		{Name: "TOOL_CALL_START", Decode: toolStart},
		{Name: "TOOL_CALL_ARGS", Decode: toolArgs},
		{Name: "TOOL_CALL_CHUNK", Decode: toolChunk},
		{Name: "TOOL_CALL_END", Decode: toolEnd},
		{Name: "TOOL_CALL_RESULT", Decode: toolResult},
		{Name: "SUBAGENT_STARTED", Event: subagentStarted},
		{Name: "SUBAGENT_FINISHED", Event: subagentFinished},
		{Name: "SUBAGENT_ERROR", Event: func(l *dialect.Line) agent.Event {
			return &agent.SubagentEnd{ID: l.Key("subagentRunId"), Error: l.String("message")}
		}},
		{Name: "STATE_SNAPSHOT", Event: func(l *dialect.Line) agent.Event {
			return &agent.StateSnapshot{Snapshot: l.Raw("snapshot")}
		}},
		{Name: "STATE_DELTA", Event: func(l *dialect.Line) agent.Event {
			return &agent.StateDelta{Delta: l.Raw("delta")}
		}},
		{Name: "ACTIVITY_SNAPSHOT", Event: activitySnapshot},
		{Name: "ACTIVITY_DELTA", Event: func(l *dialect.Line) agent.Event {
			return &agent.ActivityDelta{MessageID: l.String("messageId"), ActivityType: l.String("activityType"), Patch: l.Raw("patch")}
		}},
		{Name: "MESSAGES_SNAPSHOT", Event: func(l *dialect.Line) agent.Event {
			return &agent.Telemetry{Name: l.Name, Data: l.Raw("messages")}
		}},
		{Name: "RAW", Event: raw},
		{Name: "CUSTOM", Decode: custom},
	}}},
}

// Dialect is the AG-UI dialect. An interrupt ends the turn, because a stream can't be
// answered.
var Dialect = Table.Compile().Dialect()

func runStarted(s *State, l *dialect.Line) {
	*s = State{
		answers: s.answers, goesOn: s.goesOn, calls: s.calls, names: s.names, before: s.before, refused: s.refused,
		settled: s.settled, offered: s.offered,
		begun: true, run: l.String("runId"),
	}
	l.Emit(&agent.RunStart{TraceID: s.run})
}

func runError(s *State, l *dialect.Line) {
	e := &agent.Error{Error: l.String("message"), Code: l.String("code")}
	if e.Error == "" {
		e.Error = "The run failed without a reason. See the log of the agent's server"
	}
	s.begun, s.ended, s.failed = true, true, true
	if s.goesOn {
		continues := false
		e.Fatal = &continues
	}
	l.Emit(e)
}

// custom decodes an event that the application has defined.
func custom(s *State, l *dialect.Line) {
	name := l.String("name")
	if name == "on_interrupt" && s.answers {
		s.onInterrupt(l)
		return
	}
	if name == "on_interrupt" {
		unanswered(l, l.Shown("value").String())
	}
	l.Emit(&agent.Telemetry{Name: name, Data: l.Raw("value")})
}

func unanswered(l *dialect.Line, what string) {
	l.Emit(&agent.Notice{Severity: "warning", Message: "The agent waits for an answer that cannot be given here: " + what})
}

func runFinished(s *State, l *dialect.Line) {
	s.ended = true
	if usage := l.Raw("usage"); usage != nil {
		l.Emit(&agent.Telemetry{Name: "usage", Data: usage})
	}
	done := &agent.Done{}
	outcome := l.Object("outcome")
	switch outcome.String("type") {
	case "cancelled":
		done.StopReason = agent.StopCancelled
	case "interrupt":
		if s.answers {
			var list []*Interrupt
			for i := range outcome.Objects("interrupts") {
				if one, ok := s.read(i.JSON()); ok {
					list = append(list, one)
				}
			}
			if len(list) > 0 {
				s.keep(list)
				s.interrupted(l, list)
				return
			}
		}
		for i := range outcome.Objects("interrupts") {
			what := cmp.Or(i.String("message"), i.String("reason"))
			unanswered(l, what)
		}
	default:
		if result := l.Raw("result"); len(result) > 0 && result[0] == '"' {
			done.Text = l.String("result")
		}
	}
	switch {
	case len(s.legacy) > 0:
		s.keep(s.legacy)
		s.interrupted(l, s.legacy)
	case !s.goesOn:
		if done.StopReason == "" {
			s.keep(nil)
		}
		s.leave(l)
		if len(s.left) == 0 {
			l.Emit(done)
		}
	}
}

func activitySnapshot(l *dialect.Line) agent.Event {
	return &agent.ActivitySnapshot{
		MessageID:    l.String("messageId"),
		ActivityType: l.String("activityType"),
		Content:      l.Raw("content"),
		Replace:      !l.Has("replace") || l.Bool("replace"),
	}
}

func raw(l *dialect.Line) agent.Event {
	return &agent.Telemetry{Name: cmp.Or(l.String("source"), l.Name), Data: l.Raw("event")}
}
