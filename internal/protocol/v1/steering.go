package v1

import "errors"

// MethodSteering is an extension of claude-agent-acp and codex-acp: it adds a message to
// the running turn. An agent that supports it has [SteeringMeta] in the _meta of its
// [InitializeResponse].
const (
	MethodSteering = "_session/steering"
	SteeringMeta   = "steering"
)

// SteeringSupported is the value of [SteeringMeta] in an [InitializeResponse].
var SteeringSupported = Meta{"supported": true}

// SteeringRequest are the params of [MethodSteering].
type SteeringRequest struct {
	SessionID string       `json:"sessionId"`
	Prompt    Blocks       `json:"prompt"`
	Meta      SteeringHost `json:"_meta,omitzero"`
}

// SteeringHost is the _meta of a [SteeringRequest].
type SteeringHost struct {
	Steering *SteeringOptions `json:"steering,omitempty"`
}

// SteeringOptions are the options in a [SteeringRequest].
type SteeringOptions struct {
	// IdleBehavior is "promptRequired" if the client itself sends the message as a
	// prompt when it can't be added to a turn. By default, the agent starts a turn.
	IdleBehavior string `json:"idleBehavior,omitempty"`
}

// PromptRequired reports whether the client wants [PromptRequired] as an answer. It
// returns an error if the request wants something unknown.
func (r *SteeringRequest) PromptRequired() (bool, error) {
	if r.Meta.Steering == nil {
		return false, nil
	}
	switch r.Meta.Steering.IdleBehavior {
	case "":
		return false, nil
	case string(PromptRequired):
		return true, nil
	}
	return false, errors.New(`_meta.steering.idleBehavior must be "promptRequired", or absent`)
}

// SteeringResponse is the result of [MethodSteering].
type SteeringResponse struct {
	Outcome SteeringOutcome `json:"outcome"`
	Reason  string          `json:"reason,omitempty"`
}

// A SteeringOutcome says what happened to the message.
type SteeringOutcome string

// The outcomes of [MethodSteering].
const (
	// Injected means that the agent read the message within the turn.
	Injected SteeringOutcome = "injected"
	// StartedNewTurn means that no turn was running, and the agent started one.
	StartedNewTurn SteeringOutcome = "startedNewTurn"
	// PromptRequired means that nothing happened. The client should send the message as
	// a prompt.
	PromptRequired SteeringOutcome = "promptRequired"
)

// The reasons for [PromptRequired].
const (
	ReasonNoRunningTurn = "noRunningTurn"
	ReasonRefused       = "refused"
)
