package agent

// Steer is the command that adds a message from the user to the running turn.
type Steer struct {
	Type      string    `json:"type" jsonschema:"enum=steer"`
	SessionID string    `json:"sessionId"`
	TurnID    string    `json:"turnId" jsonschema:"description=The running turn."`
	SteerID   string    `json:"steerId" jsonschema:"description=The message's id. The agent copies it to steered."`
	Text      string    `json:"text" jsonschema:"description=The message as text: its text blocks, links and resources, joined."`
	Blocks    []Content `json:"prompt" jsonschema:"description=The message's content blocks, as the editor sent them."`
}

// Steered reports that the agent has read a [Steer], or refuses it. If the turn ends
// without it, the message counts as not read, and becomes the next prompt.
type Steered struct {
	SteerID string `json:"steerId" jsonschema:"description=The id in the steer command."`
	Refused string `json:"refused,omitempty" jsonschema:"description=Why the agent does not accept the message, which then becomes the next prompt."`
	Base
}

// Type implements [Event].
func (*Steered) Type() string { return "steered" }

// A Steerer is a [Session] whose agent may accept messages while a turn runs.
type Steerer interface {
	// Steer queues a message for a turn. It returns false if the agent does not
	// accept messages during a turn, or if the turn is not running. Otherwise a
	// [Steered] reports when the agent has read the message.
	Steer(s Steer) bool
}

// SteerCommand is the slash command that sends the rest of its prompt to the
// running turn of an agent that accepts messages during turns. Such agents list
// it in [AvailableCommands].
const SteerCommand = "steer"
