package dialect

import "github.com/turnwire/turnwire/agent"

// A consumer receives the events of a batch until it stops. Decoders may emit
// events after that. They must not reach the range loop's yield function:
// calling it again would panic, in a goroutine that nothing recovers.
type consumer struct {
	yield   func(agent.Event) bool
	stopped bool
}

// emit passes e on and reports whether the consumer wants more events. After
// the consumer stopped, emit drops e.
func (c *consumer) emit(e agent.Event) bool {
	c.stopped = c.stopped || !c.yield(e)
	return !c.stopped
}
