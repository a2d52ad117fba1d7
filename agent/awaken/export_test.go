package awaken

import (
	"time"

	"github.com/turnwire/turnwire/agent"
)

// NewHurried is New with other waits, for tests.
func NewHurried(c Config, retry, grace time.Duration) agent.Agent {
	return &server{c, pace{retry: retry, attempts: 4, grace: grace, leave: 5 * time.Second, look: retry, silence: 100 * retry}}
}
