package ethos

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Tools is the dialect's table.
var Tools = tools

// NewHurriedWeb is NewWeb with other waits for streams that break off.
func NewHurriedWeb(c WebConfig, waits []time.Duration, steady time.Duration) agent.Agent {
	return &webAgent{newLogin(c.Remote), c.Personality, pace{waits, steady}}
}

// Remembered counts what a decoder keeps of its stream.
func Remembered(d dialect.Decoder) int {
	e := d.(*decoder)
	return len(e.calls.open) + len(e.asks.calls) + len(e.asks.denied) + len(e.asks.defaults) + len(e.plan.todos)
}
