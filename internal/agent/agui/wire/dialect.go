package wire

import (
	"cmp"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Dialect is the AG-UI dialect.
var Dialect = dialect.Table[state]{
	Name: "agui",
	Forms: []dialect.Form[state]{{Type: "type", Kinds: []dialect.Kind[state]{
		{Name: "RUN_STARTED", Decode: runStarted},
		{Name: "RUN_FINISHED", Decode: runFinished},
		{Name: "RUN_ERROR", Event: func(l *dialect.Line) agent.Event {
			return &agent.Error{Error: l.String("message"), Code: l.String("code")}
		}},
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
		{Name: "CUSTOM", Event: func(l *dialect.Line) agent.Event {
			return &agent.Telemetry{Name: l.String("name"), Data: l.Raw("value")}
		}},
	}}},
}.Compile().Dialect()

// state is the decoder's state for a stream.
type state struct {
	message string // the last text message, which a chunk without an id continues
	hidden  string // the last message that the agent did not write
	call    string // the last tool call, likewise
}

func runStarted(s *state, l *dialect.Line) {
	*s = state{}
	l.Emit(&agent.RunStart{TraceID: l.String("runId")})
}

func runFinished(_ *state, l *dialect.Line) {
	if usage := l.Raw("usage"); usage != nil {
		l.Emit(&agent.Telemetry{Name: "usage", Data: usage})
	}
	done := &agent.Done{}
	outcome := l.Object("outcome")
	switch outcome.String("type") {
	case "cancelled":
		done.StopReason = agent.StopCancelled
	case "interrupt":
		for i := range outcome.Objects("interrupts") {
			what := cmp.Or(i.String("message"), i.String("reason"))
			l.Emit(&agent.Notice{Severity: "warning", Message: "The agent waits for an answer that cannot be given here: " + what})
		}
	default:
		if result := l.Raw("result"); len(result) > 0 && result[0] == '"' {
			done.Text = l.String("result")
		}
	}
	l.Emit(done)
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
