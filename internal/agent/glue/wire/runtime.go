package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// commandID returns the call id for a command that a runtime (the host, a
// container) executes. Each such command is shown as a separate call. The
// prefix avoids conflicts with the ids that the model generates for tool calls.
func commandID(l *dialect.Line) string { return "command:" + l.Key("commandId", "command_id") }

// commandStarted shows the command under the only open bash call, which
// executes it.
func commandStarted(c *conversation, l *dialect.Line) {
	args := rawjson.AppendString([]byte(`{"command":`), l.String("command"))
	args = rawjson.AppendString(append(args, `,"runtime":`...), l.String("runtimeId", "runtime_id"))
	args = rawjson.AppendString(append(args, `,"cwd":`...), l.String("runtimeCwd", "runtime_cwd"))
	args = append(args, '}')
	c.start(l, agent.ToolStart{
		ToolCallID: commandID(l), ToolName: toolRuntime, Args: args,
		ParentToolCallID: c.calls.only(toolBash), View: view(toolRuntime, args),
	})
}

func commandOutput(c *conversation, l *dialect.Line) {
	e := agent.ToolOutput{ToolCallID: commandID(l), Text: l.Piece("text")}
	switch stream := l.Key("stream"); stream {
	case "stdout", "stderr":
		e.Stream = stream
	}
	if c.task != nil {
		shown := e
		c.emit(l, &shown)
		return
	}
	l.EmitOutput(e)
}

// commandCompleted ends a command. According to the contract, a non-zero exit
// code is not a failure of the runtime; it is shown.
func commandCompleted(c *conversation, l *dialect.Line) {
	c.end(l, agent.ToolEnd{
		ToolCallID: commandID(l), ToolName: toolRuntime, OK: true,
		ExitCode: exitCode(l.Fields), DurationMS: milliseconds(l.Fields, "duration", "durationMs", "duration_ms"),
	})
}

func commandFailed(c *conversation, l *dialect.Line) {
	text := words(l.Fields, "message")
	if kind := l.String("errorType", "error_type"); kind != "" {
		text += " (" + kind + ")"
	}
	c.end(l, agent.ToolEnd{ToolCallID: commandID(l), ToolName: toolRuntime, Error: text})
}

func commandCancelled(c *conversation, l *dialect.Line) {
	text := "cancelled"
	switch l.Key("reason") {
	case "timeout":
		text = "cancelled: it took too long"
	case "shutdown":
		text = "cancelled: the session was closed"
	}
	c.end(l, agent.ToolEnd{ToolCallID: commandID(l), ToolName: toolRuntime, Cancelled: true, Error: text})
}
