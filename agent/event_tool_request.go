package agent

// ToolRequested asks Turnwire to run one of the tools that the session command lists.
// The agent waits for the tool_response command. Tools run only while a turn runs.
type ToolRequested struct {
	ToolCallID string `json:"toolCallId" jsonschema:"description=The call's id, which the answer repeats. Unique in the session."`
	ToolName   string `json:"toolName" jsonschema:"description=The name of a tool that the session command lists."`
	Args       Raw    `json:"args,omitempty" jsonschema:"type=object,description=The call's arguments, as the tool's parameters describe them. A mistake in them is a failed call."`
	Limit      int    `json:"limit,omitempty" jsonschema:"minimum=1,description=The maximal length of the result in characters. Default: 50000."`
	// Refusal works as in [ConfirmationRequested].
	Refusal string `json:"-"`
	Base
}

// Type implements [Event].
func (*ToolRequested) Type() string { return "tool_request" }

// An OfferedTool is one that Turnwire runs for an agent.
type OfferedTool struct {
	Name        string `json:"name"`
	Description string `json:"description" jsonschema:"description=What the tool does, for a model."`
	Parameters  Raw    `json:"parameters" jsonschema:"type=object,description=The JSON Schema of the tool's arguments."`
}

// ToolResponse is the command that answers a [ToolRequested].
type ToolResponse struct {
	Type       string `json:"type" jsonschema:"enum=tool_response"`
	SessionID  string `json:"sessionId"`
	TurnID     string `json:"turnId"`
	ToolCallID string `json:"toolCallId"`
	OK         bool   `json:"ok" jsonschema:"description=The call succeeded."`
	Text       string `json:"text" jsonschema:"description=The result, or what went wrong, for the model."`
	Refused    bool   `json:"refused,omitempty" jsonschema:"description=The user did not allow the call, or did not answer."`
	Cancelled  bool   `json:"cancelled,omitempty" jsonschema:"description=The turn was cancelled."`
	Truncated  bool   `json:"truncated,omitempty" jsonschema:"description=A part of the result is left out, as the text says."`
}
