package ethos

import "github.com/turnwire/turnwire/agent/dialect"

// Remembered counts what a decoder keeps of its stream.
func Remembered(d dialect.Decoder) int {
	e := d.(*decoder)
	return len(e.calls.open) + len(e.asks.calls) + len(e.asks.denied) + len(e.asks.defaults) + len(e.plan.todos)
}
