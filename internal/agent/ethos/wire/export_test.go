package wire

import "github.com/turnwire/turnwire/agent/stream/dialect"

// Tools is the dialect's table.
var Tools = tools

// NewDecoder returns a decoder, and a function that returns the size of its
// state.
func NewDecoder() (d dialect.Decoder, remembered func() int) {
	s := newState()
	return table.Decoder(s), func() int {
		return len(s.calls) + len(s.approvals) + len(s.denied) + len(s.defaults) + len(s.plan.todos)
	}
}
