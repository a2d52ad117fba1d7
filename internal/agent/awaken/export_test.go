package awaken

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/reconnect"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// NewHurried is like New, but without long delays between tries. grace is how
// long a cancelled run may take to end.
func NewHurried(c Config, retry, grace time.Duration) agent.Agent {
	return &server{c, pace{waits: reconnect.Waits{retry, retry, retry, retry}, grace: grace, leave: limits.Patience, interval: retry, silence: time.Hour}}
}

// NewImpatient is like NewHurried, but doesn't wait for a cancelled run. If a stream
// breaks off, it reports at once that the run is silent.
func NewImpatient(c Config) agent.Agent {
	return &server{c, pace{waits: make(reconnect.Waits, 4), grace: time.Millisecond, leave: limits.Patience, interval: time.Millisecond, silence: time.Millisecond}}
}
