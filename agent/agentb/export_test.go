package agentb

import "github.com/turnwire/turnwire/agent/stream/dialect"

// Tools is the dialect's table.
var Tools = tools

// Remembered is how many calls and messages a decoder knows.
func Remembered(d dialect.Decoder) int {
	own := d.(*decoder)
	return len(own.calls) + len(own.messages.text) + len(own.messages.whole)
}
