package ethos

import (
	"time"

	"github.com/turnwire/turnwire/agent"
)

// NewHurriedWeb is like NewWeb, with other delays for broken streams.
func NewHurriedWeb(c WebConfig, waits []time.Duration, steady time.Duration) agent.Agent {
	return &webAgent{newLogin(c.Remote), c.Personality, pace{waits, steady}}
}
