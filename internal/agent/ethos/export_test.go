package ethos

import (
	"time"

	"github.com/turnwire/turnwire/agent"
)

// NewHurriedWeb is NewWeb with other waits for streams that break off.
func NewHurriedWeb(c WebConfig, waits []time.Duration, steady time.Duration) agent.Agent {
	return &webAgent{newLogin(c.Remote), c.Personality, pace{waits, steady}}
}
