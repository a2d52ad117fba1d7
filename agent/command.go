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
	TurnID    string    `json:"turnId" jsonschema:"description=Names the turn. Events may repeat it."`
	Cwd       string    `json:"cwd" jsonschema:"description=The session's working directory, absolute."`
	Text      string    `json:"text" jsonschema:"description=The text of the prompt: its text blocks and the links and resources in it, joined."`
	Blocks    []Content `json:"prompt" jsonschema:"description=The prompt's content blocks as the editor sent them."`
	TraceContext

	History []Said `json:"history,omitempty" jsonschema:"description=What was said in the session before, oldest first. Only with the first prompt that a process gets of a session that goes on, and only for agents that have said history."`
}

// SessionCommand describes the session to the agent. Only an agent that has
// printed agent_info receives it, and each process receives it once.
type SessionCommand struct {
	Type       string        `json:"type" jsonschema:"enum=session"`
	SessionID  string        `json:"sessionId"`
	Cwd        string        `json:"cwd" jsonschema:"description=The session's working directory, absolute."`
	Roots      []string      `json:"roots" jsonschema:"description=Further directories of the session, absolute."`
	MCPServers []Raw         `json:"mcpServers" jsonschema:"description=The MCP servers to use, as the editor gave them: name and command and args and env, or type (http or sse) and url and headers."`
	Editor     Editor        `json:"editor" jsonschema:"description=What the editor is and can do."`
	System     *SystemPrompt `json:"systemPrompt,omitempty" jsonschema:"description=Instructions of the editor. Only for agents that have said systemPrompt."`
	Resume     bool          `json:"resume,omitempty" jsonschema:"description=The session goes on that had this sessionId before. Only for agents that have said resume."`
	ForkOf     string        `json:"forkOf,omitempty" jsonschema:"description=The session began as a copy of that one, which goes on too; sessionId is new then. Only with resume."`
	State      Raw           `json:"state,omitempty" jsonschema:"description=What the last state event of the session had. Only with resume."`
}

// SystemPrompt is the editor's instructions for a whole session.
type SystemPrompt struct {
	Mode string `json:"mode" jsonschema:"enum=append,enum=override,description=Whether the agent adds the text to its own instructions or has it in their place."`
	Text string `json:"text"`
}

// An Editor describes the user's editor to an agent.
type Editor struct {
	Name      string `json:"name,omitempty"`
	Version   string `json:"version,omitempty"`
	ReadFile  bool   `json:"readFile" jsonschema:"description=It can read files, with unsaved changes."`
	WriteFile bool   `json:"writeFile" jsonschema:"description=It can write files."`
	Terminal  bool   `json:"terminal" jsonschema:"description=It can run commands in terminals of its own."`
	Forms     bool   `json:"forms" jsonschema:"description=It can ask questions with several fields."`
	Pages     bool   `json:"pages" jsonschema:"description=It can send the user to a page."`
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
	ConfirmationID string   `json:"confirmationId,omitempty" jsonschema:"description=That of the request, where it had one."`
	ToolCallID     string   `json:"toolCallId"`
	Decision       Decision `json:"decision" jsonschema:"enum=allow_once,enum=allow_always,enum=reject_once,enum=reject_always,enum=cancelled,description=Only allow_once and allow_always permit the call."`
	OptionID       string   `json:"optionId,omitempty" jsonschema:"description=The chosen option, where the request had options of its own. The decision is the option's kind."`
	Reason         string   `json:"reason,omitempty" jsonschema:"description=Why nobody was asked, where the request was refused without asking."`
}

// QuestionResponse is the command that answers a [QuestionAsked].
type QuestionResponse struct {
	Type       string         `json:"type" jsonschema:"enum=question_response"`
	SessionID  string         `json:"sessionId"`
	TurnID     string         `json:"turnId"`
	QuestionID string         `json:"questionId"`
	Answer     string         `json:"answer" jsonschema:"description=The chosen option or the text. With several choices they are joined by a comma and a space."`
	Answers    []string       `json:"answers,omitempty" jsonschema:"description=The choices one by one where several were allowed."`
	Values     map[string]Raw `json:"values,omitempty" jsonschema:"description=The values by the names of their fields, where the question had fields. Each is of its field's type."`
	Cancelled  bool           `json:"cancelled,omitempty" jsonschema:"description=The user did not answer."`
	Declined   bool           `json:"declined,omitempty" jsonschema:"description=The user did not want to answer, where that is known; cancelled is true then."`
	Reason     string         `json:"reason,omitempty" jsonschema:"description=Why nobody was asked, where the question was refused without asking."`
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
	r.Decision, r.OptionID = NotDecided, ""
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
	OptionID  string `json:"optionId" jsonschema:"description=The id in config_options; mode and model for what mode_changed and model_changed have told."`
	Value     Value  `json:"value" jsonschema:"description=The id of a choice that was offered, or true or false."`
}

// The values of "type" in commands.
const (
	CommandSession      = "session"
	CommandPrompt       = "prompt"
	CommandCancel       = "cancel"
	CommandConfirmation = "tool_confirmation_response"
	CommandQuestion     = "question_response"
	CommandEditor       = "editor_response"
	CommandSetOption    = "set_option"
)

// Commands lists all commands, for the schema.
func Commands() []any {
	return []any{SessionCommand{}, Prompt{}, Cancel{}, ConfirmationResponse{}, QuestionResponse{}, EditorResponse{}, SetOption{}}
}
