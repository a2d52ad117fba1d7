package agent

// Introduction says what an agent is and what it can do. An agent that prints it
// receives a [SessionCommand]. It should be the agent's first line of output, so
// that the editor knows from the start what to offer.
type Introduction struct {
	Name     string             `json:"name,omitempty" jsonschema:"description=The agent's display name."`
	Version  string             `json:"version,omitempty"`
	Prompt   *PromptTakes       `json:"prompt,omitempty" jsonschema:"description=The content that the agent accepts in prompts, besides text and links. Default: none."`
	MCP      *MCPTakes          `json:"mcp,omitempty" jsonschema:"description=Present if the agent uses the session's MCP servers. If absent, the user is told that the agent does not use them."`
	System   *SystemPromptTakes `json:"systemPrompt,omitempty" jsonschema:"description=Present if the agent adds the editor's instructions to its own. The session command then contains them."`
	Steer    *PromptTakes       `json:"steer,omitempty" jsonschema:"description=Present if the agent reads steer commands during a turn, with the content that it accepts in them, besides text and links."`
	Modes    *ModeState         `json:"modes,omitempty" jsonschema:"description=The current and available modes, as in mode_changed."`
	Models   *ModelState        `json:"models,omitempty" jsonschema:"description=The current and available models, as in model_changed."`
	Options  []Option           `json:"options,omitempty" jsonschema:"description=The options, as in config_options."`
	Commands []Command          `json:"commands,omitempty" jsonschema:"description=The slash commands, as in available_commands."`
	Resume   bool               `json:"resume,omitempty" jsonschema:"description=The agent stores its conversations. If the session command has resume, the agent continues the conversation of that sessionId. The command contains the value of the last state event."`
	Tools    bool               `json:"tools,omitempty" jsonschema:"description=The agent uses Turnwire's own tools to read, search, edit and run. The session command then lists them."`
	History  bool               `json:"history,omitempty" jsonschema:"description=The agent stores no conversations. It reads the earlier messages from the prompt's history."`
	Base
}

// PromptTakes lists the content blocks that an agent accepts in prompts, in addition
// to text and links, which every agent accepts.
type PromptTakes struct {
	Image bool `json:"image,omitempty"`
	Audio bool `json:"audio,omitempty"`
}

// MCPTakes lists the MCP transports that an agent supports in addition to stdio.
type MCPTakes struct {
	HTTP bool `json:"http,omitempty"`
	SSE  bool `json:"sse,omitempty"`
}

// SystemPromptTakes says what an agent can do with the editor's instructions, other
// than appending them to its own.
type SystemPromptTakes struct {
	Replace bool `json:"replace,omitempty" jsonschema:"description=The editor's instructions can replace the agent's own."`
}

// ModeState is the current mode and the modes that can be chosen.
type ModeState struct {
	ModeID    string   `json:"modeId"`
	Available []Choice `json:"available,omitempty"`
}

// ModelState is the current model and the models that can be chosen.
type ModelState struct {
	ModelID   string   `json:"modelId"`
	Available []Choice `json:"available,omitempty"`
}

// Takes returns what the agent accepts, according to its introduction.
func (e *Introduction) Takes() Takes {
	t := Takes{MCP: e.MCP, System: e.System, Steer: e.Steer}
	if e.Prompt != nil {
		t.PromptTakes = *e.Prompt
	}
	return t
}

// Takes says what an agent accepts: the kinds of prompt content, MCP servers (unless
// MCP is nil), the editor's instructions (unless System is nil), and messages during a
// turn (unless Steer is nil).
type Takes struct {
	PromptTakes
	MCP    *MCPTakes
	System *SystemPromptTakes
	Steer  *PromptTakes
}

// Type implements [Event].
func (*Introduction) Type() string { return "agent_info" }
