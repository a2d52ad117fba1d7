package agent

// ToolPending reports that the model has started to write a tool call.
type ToolPending struct {
	ToolCallID       string `json:"toolCallId"`
	ToolName         string `json:"toolName"`
	ParentToolCallID string `json:"parentToolCallId,omitempty" jsonschema:"description=The id of the parent tool call or sub-agent."`
	View
	Base
}

// ToolArgsDelta is a piece of a tool call's arguments, as JSON text.
type ToolArgsDelta struct {
	ToolCallID string `json:"toolCallId"`
	Delta      Text   `json:"delta" dialect:"piece"`
	Base
}

// ToolReady reports that a tool call is complete but not running yet.
type ToolReady struct {
	ToolCallID       string `json:"toolCallId"`
	ToolName         string `json:"toolName"`
	Args             Raw    `json:"args,omitempty"`
	ParentToolCallID string `json:"parentToolCallId,omitempty"`
	View
	Base
}

// ToolStart reports that a tool is running.
type ToolStart struct {
	ToolCallID       string   `json:"toolCallId"`
	ToolName         string   `json:"toolName"`
	Args             Raw      `json:"args,omitempty"`
	Audience         Audience `json:"audience,omitempty" jsonschema:"enum=user,enum=internal,enum=dashboard"`
	ParentToolCallID string   `json:"parentToolCallId,omitempty"`
	View
	Base
}

// ToolProgress reports the progress of a running tool. It is shown only if
// its audience is "user".
type ToolProgress struct {
	ToolCallID string   `json:"toolCallId,omitempty" jsonschema:"description=Optional. Default: the only running call of this tool."`
	ToolName   string   `json:"toolName,omitempty"`
	Message    string   `json:"message"`
	Percent    *float64 `json:"percent,omitempty" jsonschema:"minimum=0,maximum=100"`
	Audience   Audience `json:"audience,omitempty" jsonschema:"enum=user,enum=internal,enum=dashboard,description=Default: internal, which is not shown."`
	Base
}

// ToolOutput is a piece of a running tool's output.
type ToolOutput struct {
	ToolCallID string `json:"toolCallId"`
	Text       Text   `json:"text" dialect:"piece"`
	Stream     string `json:"stream,omitempty" jsonschema:"enum=stdout,enum=stderr"`
	Replace    bool   `json:"replace,omitempty" jsonschema:"description=The text replaces all earlier output."`
	TerminalID string `json:"terminalId,omitempty" jsonschema:"description=A terminal that the agent created with editor_request. The editor shows it in the tool call, and the text may be empty."`
	Base
}

// ToolEnd ends a tool call, even one that never started.
type ToolEnd struct {
	ToolCallID string    `json:"toolCallId"`
	ToolName   string    `json:"toolName,omitempty"`
	OK         bool      `json:"ok"`
	Cancelled  bool      `json:"cancelled,omitempty" jsonschema:"description=The call was cancelled or refused. In that case, ok is false."`
	DurationMS float64   `json:"durationMs,omitempty" jsonschema:"minimum=0"`
	Audience   Audience  `json:"audience,omitempty" jsonschema:"enum=user,enum=internal,enum=dashboard"`
	Result     Text      `json:"result,omitzero"`
	Structured Raw       `json:"structured,omitempty"`
	Error      string    `json:"error,omitempty"`
	Content    []Content `json:"content,omitempty"`
	ExitCode   *int      `json:"exitCode,omitempty"`
	View
	Base
}

// SubagentStart reports that a sub-agent starts a task. Its tool calls have
// ID as their parentToolCallId.
type SubagentStart struct {
	ID               string `json:"id"`
	Name             string `json:"name,omitempty"`
	Task             string `json:"task,omitempty"`
	RunID            string `json:"runId,omitempty"`
	ParentRunID      string `json:"parentRunId,omitempty"`
	ParentToolCallID string `json:"parentToolCallId,omitempty"`
	Base
}

// SubagentEnd ends a sub-agent's task.
type SubagentEnd struct {
	ID         string  `json:"id"`
	Name       string  `json:"name,omitempty"`
	OK         bool    `json:"ok"`
	Result     string  `json:"result,omitzero"`
	Error      string  `json:"error,omitempty"`
	DurationMS float64 `json:"durationMs,omitempty" jsonschema:"minimum=0"`
	Base
}

// Type implements [Event].
func (*ToolPending) Type() string { return "tool_pending" }

// Type implements [Event].
func (*ToolArgsDelta) Type() string { return "tool_args_delta" }

// Type implements [Event].
func (*ToolReady) Type() string { return "tool_ready" }

// Type implements [Event].
func (*ToolStart) Type() string { return "tool_start" }

// Type implements [Event].
func (*ToolProgress) Type() string { return "tool_progress" }

// Type implements [Event].
func (*ToolOutput) Type() string { return "tool_output" }

// Type implements [Event].
func (*ToolEnd) Type() string { return "tool_end" }

// Type implements [Event].
func (*SubagentStart) Type() string { return "subagent_start" }

// Type implements [Event].
func (*SubagentEnd) Type() string { return "subagent_end" }
