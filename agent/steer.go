package agent

// A Steerer is a [Session] whose agent may take advice while a turn runs.
type Steerer interface {
	// Steer queues advice for a turn. It reports false where the agent takes
	// none, or the turn does not run.
	Steer(turnID, text string) bool
}

// SteerCommand is the slash command whose text is advice. An agent that can be
// steered lists it among its [AvailableCommands].
const SteerCommand = "steer"
