package agent

// SessionTitle sets the session's title.
type SessionTitle struct {
	Title string `json:"title"`
	Base
}

// A Command is one of the agent's slash commands.
type Command struct {
	Name        string `json:"name" jsonschema:"description=The name without the slash."`
	Description string `json:"description"`
	Hint        string `json:"hint,omitempty" jsonschema:"description=A hint for the command's arguments."`
}

// AvailableCommands is the complete list of slash commands. It replaces the
// previous list.
type AvailableCommands struct {
	Commands []Command `json:"commands"`
	Base
}

// ModeChanged reports the agent's mode. It sets the option [OptionMode], or the
// option of that category in [ConfigOptions].
type ModeChanged struct {
	ModeID    string   `json:"modeId"`
	Available []Choice `json:"available,omitempty" jsonschema:"description=The modes that set_option accepts. Default: the last list."`
	Base
}

// ModelChanged reports the agent's model. It sets the option [OptionModel], or
// the option of that category in [ConfigOptions].
type ModelChanged struct {
	ModelID   string   `json:"modelId"`
	Available []Choice `json:"available,omitempty" jsonschema:"description=The models that set_option accepts. Default: the last list."`
	Base
}

// ConfigOptions is the complete list of options. It replaces the previous list.
// A mode or a model that was reported by [ModeChanged] or [ModelChanged]
// remains, even if the list doesn't include it.
type ConfigOptions struct {
	Options []Option `json:"options"`
	Base
}

// OptionRefused reports that the agent did not apply a [SetOption].
type OptionRefused struct {
	OptionID string `json:"optionId"`
	Error    string `json:"error" jsonschema:"description=The reason, for the user."`
	Base
}

// State is a value that Turnwire saves for the agent and returns to it when
// another process continues the session. The last one counts. It is never
// shown.
type State struct {
	State Raw `json:"state" jsonschema:"description=Any value, up to 1 MB of JSON. The session command returns it to an agent that declared resume."`
	Base
}

// StateSnapshot is the agent's complete shared state.
type StateSnapshot struct {
	Snapshot Raw `json:"snapshot,omitempty"`
	Base
}

// StateDelta changes the shared state, by convention with JSON Patch
// operations.
type StateDelta struct {
	Delta Raw `json:"delta,omitempty"`
	Base
}

// ActivitySnapshot is the complete state of an activity other than a tool call.
type ActivitySnapshot struct {
	MessageID    string `json:"messageId,omitempty"`
	ActivityType string `json:"activityType,omitempty"`
	Content      Raw    `json:"content,omitempty"`
	Replace      bool   `json:"replace,omitempty"`
	Base
}

// ActivityDelta changes the state of an activity.
type ActivityDelta struct {
	MessageID    string `json:"messageId,omitempty"`
	ActivityType string `json:"activityType,omitempty"`
	Patch        Raw    `json:"patch,omitempty"`
	Base
}

// Telemetry is a named value for tools that observe the agent.
type Telemetry struct {
	Name string `json:"name"`
	Data Raw    `json:"data,omitempty"`
	Base
}

// Notification is a message from a plug-in to the session.
type Notification struct {
	PluginID   string `json:"pluginId,omitempty"`
	SessionKey string `json:"sessionKey,omitempty"`
	Message    string `json:"message"`
	StartTurn  bool   `json:"startTurn,omitempty"`
	Payload    Raw    `json:"payload,omitempty"`
	Base
}

// Type implements [Event].
func (*SessionTitle) Type() string { return "session_title" }

// Type implements [Event].
func (*AvailableCommands) Type() string { return "available_commands" }

// Type implements [Event].
func (*ModeChanged) Type() string { return "mode_changed" }

// Type implements [Event].
func (*ModelChanged) Type() string { return "model_changed" }

// Type implements [Event].
func (*ConfigOptions) Type() string { return "config_options" }

// Type implements [Event].
func (*OptionRefused) Type() string { return "option_refused" }

// Type implements [Event].
func (*State) Type() string { return "state" }

// Type implements [Event].
func (*StateSnapshot) Type() string { return "state_snapshot" }

// Type implements [Event].
func (*StateDelta) Type() string { return "state_delta" }

// Type implements [Event].
func (*ActivitySnapshot) Type() string { return "activity_snapshot" }

// Type implements [Event].
func (*ActivityDelta) Type() string { return "activity_delta" }

// Type implements [Event].
func (*Telemetry) Type() string { return "telemetry" }

// Type implements [Event].
func (*Notification) Type() string { return "notification_received" }
