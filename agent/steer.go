package agent

// A Steerer is a [Session] whose agent may accept advice while a turn runs.
type Steerer interface {
	// Steer queues advice for a turn. It returns false if the agent does not
	// accept advice or the turn is not running.
	Steer(turnID, text string) bool
}

// SteerCommand is the slash command that carries advice. Agents that accept
// advice list it in [AvailableCommands].
const SteerCommand = "steer"
