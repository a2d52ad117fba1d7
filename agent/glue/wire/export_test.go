package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// Tools is the dialect's table.
var Tools = tools

// ParseDuration gives milliseconds.
var ParseDuration = parseDuration

// NewHot returns what decodes the lines of a stream the fast way alone: nil for
// those that are left to the slow way.
func NewHot() func(line []byte) agent.Event {
	d := newDecoder()
	return func(line []byte) agent.Event { return d.hot.decode(line, &d.talk) }
}

// Cold decodes a line the slow way alone.
func Cold(line []byte) ([]agent.Event, error) {
	d := newDecoder()
	err := d.cold(line)
	return d.talk.out, err
}

// Handled are the names that the dialect decodes, as Types has them.
func Handled() []string {
	var names []string
	for _, event := range agentHandlers {
		names = append(names, event.name)
	}
	for _, row := range rowHandlers {
		names = append(names, "row:"+row.name)
	}
	for _, event := range sessionHandlers() {
		names = append(names, "session:"+event.name)
	}
	return append(slices.Clone(classNames), names...)
}

// Kept is how much a decoder keeps of a stream: of calls, of sub-agents and
// requests, and of text.
func Kept(d any) (calls, others, text int) {
	talk := &d.(*decoder).talk
	return len(talk.calls.open), len(talk.family.members) + len(talk.asked), len(talk.said.head)
}
