package agent

// EditorRequested asks the editor to do something for the agent, which waits for
// the editor_response command. Editors accept requests only while a turn runs.
type EditorRequested struct {
	RequestID   string       `json:"requestId" jsonschema:"description=The request's id, which the answer repeats."`
	Action      EditorAction `json:"action" jsonschema:"description=The action. The session command lists the editor's capabilities."`
	Path        string       `json:"path,omitempty" jsonschema:"description=The file to read or write. Absolute, or relative to the session's working directory."`
	Text        string       `json:"text,omitempty" jsonschema:"description=The complete new text of the file to write."`
	Line        int          `json:"line,omitempty" jsonschema:"minimum=1,description=The first line to read, starting at 1."`
	Limit       int          `json:"limit,omitempty" jsonschema:"minimum=1,description=The number of lines to read."`
	Command     string       `json:"command,omitempty" jsonschema:"description=The program to run in the new terminal."`
	Args        []string     `json:"args,omitempty"`
	Env         []Variable   `json:"env,omitempty"`
	Cwd         string       `json:"cwd,omitempty" jsonschema:"description=The new terminal's working directory. Absolute, or relative to the session's working directory, which is the default."`
	OutputLimit int64        `json:"outputLimit,omitempty" jsonschema:"minimum=0,description=The number of output bytes that the editor keeps. The oldest output is dropped first."`
	TerminalID  string       `json:"terminalId,omitempty" jsonschema:"description=The terminal's id, for all actions on an existing terminal."`
	// Refusal works as in [ConfirmationRequested].
	Refusal string `json:"-"`
	Base
}

// A Variable is an environment variable of a terminal.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// An EditorAction is something that an editor can do for an agent.
type EditorAction string

// The editor actions.
const (
	ReadFile        EditorAction = "read_file"
	WriteFile       EditorAction = "write_file"
	CreateTerminal  EditorAction = "create_terminal"
	TerminalOutput  EditorAction = "terminal_output"
	WaitForTerminal EditorAction = "wait_for_terminal"
	KillTerminal    EditorAction = "kill_terminal"
	ReleaseTerminal EditorAction = "release_terminal"
)

// EditorActions lists all actions.
func EditorActions() []EditorAction {
	return []EditorAction{ReadFile, WriteFile, CreateTerminal, TerminalOutput, WaitForTerminal, KillTerminal, ReleaseTerminal}
}

// EditorResponse is the command that answers an [EditorRequested].
type EditorResponse struct {
	Type       string  `json:"type" jsonschema:"enum=editor_response"`
	SessionID  string  `json:"sessionId"`
	TurnID     string  `json:"turnId"`
	RequestID  string  `json:"requestId"`
	OK         bool    `json:"ok" jsonschema:"description=The request succeeded."`
	Error      string  `json:"error,omitempty" jsonschema:"description=Why the request failed."`
	Text       *string `json:"text,omitempty" jsonschema:"description=The text read from the file."`
	TerminalID string  `json:"terminalId,omitempty" jsonschema:"description=The id of the new terminal."`
	Output     *string `json:"output,omitempty" jsonschema:"description=The terminal's output so far."`
	Truncated  bool    `json:"truncated,omitempty" jsonschema:"description=The beginning of the output was dropped."`
	Exited     bool    `json:"exited,omitempty" jsonschema:"description=The terminal's command has exited."`
	ExitCode   *int    `json:"exitCode,omitempty"`
	Signal     string  `json:"signal,omitempty" jsonschema:"description=The signal that terminated the command."`
}

// An EditorUser is a [Session] whose agent may send requests to the editor.
type EditorUser interface {
	// Respond answers an [EditorRequested]. It does not block.
	Respond(r EditorResponse)
}

// Type implements [Event].
func (*EditorRequested) Type() string { return "editor_request" }
