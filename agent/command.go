package agent

// A Decision is an answer to a confirmation request.
type Decision string

// The decisions. Only AllowOnce and AllowAlways permit the call.
const (
	AllowOnce    Decision = "allow_once"
	AllowAlways  Decision = "allow_always"
	RejectOnce   Decision = "reject_once"
	RejectAlways Decision = "reject_always"
	// NotDecided means that nobody decided: the request was cancelled, its
	// answer was invalid, or the editor disconnected.
	NotDecided Decision = "cancelled"
)

// Allows reports whether the tool may run.
func (d Decision) Allows() bool { return d == AllowOnce || d == AllowAlways }

// A Prompt is the command that starts a turn.
type Prompt struct {
	Type      string    `json:"type" jsonschema:"enum=prompt"`
	SessionID string    `json:"sessionId"`
	TurnID    string    `json:"turnId" jsonschema:"description=The turn's id. Events may repeat it."`
	Cwd       string    `json:"cwd" jsonschema:"description=The session's working directory, absolute."`
	Text      string    `json:"text" jsonschema:"description=The prompt as text: its text blocks, links and resources, joined."`
	Blocks    []Content `json:"prompt" jsonschema:"description=The prompt's content blocks, as the editor sent them."`
	TraceContext

	History []Message `json:"history,omitempty" jsonschema:"description=The session's earlier messages, oldest first. Present only in the first prompt after a process starts in an existing session, and only if agent_info has history."`
}

// SessionCommand describes the session to the agent. Only an agent that has
// printed agent_info receives it, and each process receives it once.
type SessionCommand struct {
	Type       string        `json:"type" jsonschema:"enum=session"`
	SessionID  string        `json:"sessionId"`
	Cwd        string        `json:"cwd" jsonschema:"description=The session's working directory, absolute."`
	Roots      []string      `json:"roots" jsonschema:"description=Additional directories of the session, absolute."`
	MCPServers []Raw         `json:"mcpServers" jsonschema:"description=The MCP servers to use, as the editor sent them: name, command, args and env, or name, type (http or sse), url and headers."`
	Editor     Editor        `json:"editor" jsonschema:"description=The editor's name and capabilities."`
	System     *SystemPrompt `json:"systemPrompt,omitempty" jsonschema:"description=The editor's instructions. Present only if agent_info has systemPrompt."`
	Tools      []OfferedTool `json:"tools,omitempty" jsonschema:"description=The tools that the agent can call with tool_request. Present only if agent_info has tools."`
	Resume     bool          `json:"resume,omitempty" jsonschema:"description=The session is an earlier one with the same sessionId. Present only if agent_info has resume."`
	ForkOf     string        `json:"forkOf,omitempty" jsonschema:"description=The id of the session that this one is a copy of. The original continues, and the copy has a new sessionId. Present only with resume."`
	State      Raw           `json:"state,omitempty" jsonschema:"description=The value of the session's last state event. Present only with resume."`
}

// SystemPrompt is the editor's instructions for a whole session.
type SystemPrompt struct {
	Mode string `json:"mode" jsonschema:"enum=append,enum=override,description=Whether the text is added to the agent's own instructions or replaces them."`
	Text string `json:"text"`
}

// An Editor describes the user's editor to an agent.
type Editor struct {
	Name      string `json:"name,omitempty"`
	Version   string `json:"version,omitempty"`
	ReadFile  bool   `json:"readFile" jsonschema:"description=The editor can read files, including unsaved changes."`
	WriteFile bool   `json:"writeFile" jsonschema:"description=The editor can write files."`
	Terminal  bool   `json:"terminal" jsonschema:"description=The editor can run commands in its own terminals."`
	Forms     bool   `json:"forms" jsonschema:"description=The editor can show forms with several fields."`
	Pages     bool   `json:"pages" jsonschema:"description=The editor can send the user to a web page."`
}

// Cancel is the command that stops a turn.
type Cancel struct {
	Type      string `json:"type" jsonschema:"enum=cancel"`
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
}

// ConfirmationResponse is the command that answers a [ConfirmationRequested].
// ConfirmationID and ToolCallID are copied from the request.
type ConfirmationResponse struct {
	Type           string   `json:"type" jsonschema:"enum=tool_confirmation_response"`
	SessionID      string   `json:"sessionId"`
	TurnID         string   `json:"turnId"`
	ConfirmationID string   `json:"confirmationId,omitempty" jsonschema:"description=The request's confirmationId, if it had one."`
	ToolCallID     string   `json:"toolCallId"`
	Decision       Decision `json:"decision" jsonschema:"enum=allow_once,enum=allow_always,enum=reject_once,enum=reject_always,enum=cancelled,description=Only allow_once and allow_always permit the call."`
	OptionID       string   `json:"optionId,omitempty" jsonschema:"description=The chosen option, if the request had options. The decision is the option's kind."`
	Reason         string   `json:"reason,omitempty" jsonschema:"description=Why the request was refused without asking the user."`
	// Accepted holds the text that the user accepts for each file of a Partial
	// request, instead of the texts in its diffs. It is nil if the user accepts
	// those.
	Accepted []AcceptedText `json:"-"`
}

// An AcceptedText is the new text of a file of which the user accepts only a part
// of the changes.
type AcceptedText struct {
	Path    string
	OldText *string // in the request's diff; nil if the file is new
	NewText string  // in the request's diff
	Text    string
}

// QuestionResponse is the command that answers a [QuestionAsked].
type QuestionResponse struct {
	Type       string         `json:"type" jsonschema:"enum=question_response"`
	SessionID  string         `json:"sessionId"`
	TurnID     string         `json:"turnId"`
	QuestionID string         `json:"questionId"`
	Answer     string         `json:"answer" jsonschema:"description=The selected option or the text. Several options are joined with a comma and a space."`
	Answers    []string       `json:"answers,omitempty" jsonschema:"description=The selected options as a list, if several were allowed."`
	Values     map[string]Raw `json:"values,omitempty" jsonschema:"description=The values by field name, if the question had fields. Each has its field's type."`
	Cancelled  bool           `json:"cancelled,omitempty" jsonschema:"description=The user did not answer."`
	Declined   bool           `json:"declined,omitempty" jsonschema:"description=The user declined to answer, if the editor reports that. In that case, cancelled is true too."`
	Reason     string         `json:"reason,omitempty" jsonschema:"description=Why the question was refused without asking the user."`
}

// Known reports whether d is a decision that a user can make.
func (d Decision) Known() bool {
	switch d {
	case AllowOnce, AllowAlways, RejectOnce, RejectAlways:
		return true
	}
	return false
}

// Refused returns r changed to a refusal without a decision.
func (r ConfirmationResponse) Refused() ConfirmationResponse {
	r.Decision, r.OptionID, r.Accepted = NotDecided, "", nil
	return r
}

// Refused returns r changed to a refusal without an answer.
func (r QuestionResponse) Refused() QuestionResponse {
	r.Answer, r.Answers, r.Values, r.Cancelled, r.Declined = "", nil, nil, true, false
	return r
}

// SetOption is the command that sets an option to a value that the agent
// offered. The agent reports the result with an event that contains the option,
// or refuses with [OptionRefused].
type SetOption struct {
	Type      string `json:"type" jsonschema:"enum=set_option"`
	SessionID string `json:"sessionId"`
	OptionID  string `json:"optionId" jsonschema:"description=The id in config_options, or mode or model for the values of mode_changed and model_changed."`
	Value     Value  `json:"value" jsonschema:"description=The id of an offered choice, or true or false."`
}

// The values of "type" in commands.
const (
	CommandSession      = "session"
	CommandPrompt       = "prompt"
	CommandCancel       = "cancel"
	CommandSteer        = "steer"
	CommandConfirmation = "tool_confirmation_response"
	CommandQuestion     = "question_response"
	CommandEditor       = "editor_response"
	CommandTool         = "tool_response"
	CommandSetOption    = "set_option"
)

// Commands lists all commands, for the schema.
func Commands() []any {
	return []any{SessionCommand{}, Prompt{}, Steer{}, Cancel{}, ConfirmationResponse{}, QuestionResponse{}, EditorResponse{}, ToolResponse{}, SetOption{}}
}
