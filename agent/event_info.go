package agent

// Introduction says what an agent is and what it can do. An agent that prints it
// receives a [SessionCommand]. It should be the agent's first line of output, so
// that the editor knows from the start what to offer.
type Introduction struct {
	Name     string             `json:"name,omitempty" jsonschema:"description=The agent's name for users."`
	Version  string             `json:"version,omitempty"`
	Prompt   *PromptTakes       `json:"prompt,omitempty" jsonschema:"description=What prompts may hold beside text and links. Absent: nothing."`
	MCP      *MCPTakes          `json:"mcp,omitempty" jsonschema:"description=Present if the agent uses the MCP servers that it is told of. Absent: the user is told that nothing uses them."`
	System   *SystemPromptTakes `json:"systemPrompt,omitempty" jsonschema:"description=Present if the agent adds instructions of the editor to its own: session has them then."`
	Modes    *ModeState         `json:"modes,omitempty" jsonschema:"description=The same as mode_changed says."`
	Models   *ModelState        `json:"models,omitempty" jsonschema:"description=The same as model_changed says."`
	Options  []Option           `json:"options,omitempty" jsonschema:"description=The same as config_options says."`
	Commands []Command          `json:"commands,omitempty" jsonschema:"description=The same as available_commands says."`
	Resume   bool               `json:"resume,omitempty" jsonschema:"description=The agent keeps its conversations, and goes on with the one of a sessionId where session says resume. It is given the state of its last state event."`
	History  bool               `json:"history,omitempty" jsonschema:"description=The agent keeps nothing, and reads in a prompt's history what was said before."`
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
	Replace bool `json:"replace,omitempty" jsonschema:"description=They can take the place of its own."`
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
	t := Takes{MCP: e.MCP, System: e.System}
	if e.Prompt != nil {
		t.PromptTakes = *e.Prompt
	}
	return t
}

// Takes says what an agent accepts: the kinds of prompt content, MCP servers (unless
// MCP is nil), and the editor's instructions (unless System is nil).
type Takes struct {
	PromptTakes
	MCP    *MCPTakes
	System *SystemPromptTakes
}

// Type implements [Event].
func (*Introduction) Type() string { return "agent_info" }
