package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A command that a runtime (the host, a container) runs is shown as a call of
// its own. Its id is apart from those of tool calls, which the model makes up.
func commandID(f *fields) string { return "command:" + f.text("command_id") }

// commandStarted shows the command under the one bash call that is open: that
// call has it run.
func commandStarted(c *conversation, f *fields) {
	args := rawjson.AppendString([]byte(`{"command":`), f.text("command"))
	args = rawjson.AppendString(append(args, `,"runtime":`...), f.text("runtime_id"))
	args = rawjson.AppendString(append(args, `,"cwd":`...), f.text("runtime_cwd"))
	args = append(args, '}')
	c.emit(&agent.ToolStart{
		ToolCallID: commandID(f), ToolName: toolRuntime, Args: args,
		ParentToolCallID: c.calls.only(toolBash), View: view(toolRuntime, args),
	})
}

func commandOutput(c *conversation, f *fields) {
	e := &agent.ToolOutput{ToolCallID: commandID(f), Text: f.body("text")}
	switch stream := f.text("stream"); stream {
	case "stdout", "stderr":
		e.Stream = stream
	}
	c.emit(e)
}

// commandCompleted ends a command that ran. The contract says that an exit code
// other than 0 is no failure of the runtime; it is shown.
func commandCompleted(c *conversation, f *fields) {
	c.emit(&agent.ToolEnd{
		ToolCallID: commandID(f), ToolName: toolRuntime, OK: true,
		ExitCode: f.optional("exit_code"), DurationMS: f.milliseconds("duration", "duration_ms"),
	})
}

func commandFailed(c *conversation, f *fields) {
	text := f.shown("message")
	if kind := f.text("error_type"); kind != "" {
		text += " (" + kind + ")"
	}
	c.emit(&agent.ToolEnd{ToolCallID: commandID(f), ToolName: toolRuntime, Error: text})
}

func commandCancelled(c *conversation, f *fields) {
	text := "cancelled"
	switch f.text("reason") {
	case "timeout":
		text = "cancelled: it took too long"
	case "shutdown":
		text = "cancelled: the session was closed"
	}
	c.emit(&agent.ToolEnd{ToolCallID: commandID(f), ToolName: toolRuntime, Cancelled: true, Error: text})
}
