package glue

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// Tools is the dialect's table.
var Tools = tools

// ParseDuration gives milliseconds.
var ParseDuration = parseDuration

// Hot decodes a line the fast way alone; it is nil for a line that is left to
// the slow way.
func Hot(line []byte) agent.Event {
	var d decoder
	return d.hot.decode(line, &d.talk)
}

// Cold decodes a line the slow way alone.
func Cold(line []byte) ([]agent.Event, error) {
	var d decoder
	err := d.cold(line)
	return d.talk.out, err
}

// Handled are the names that the dialect decodes, as Types has them.
func Handled() []string {
	var names []string
	for name := range agentHandlers {
		names = append(names, name)
	}
	for name := range rowHandlers {
		names = append(names, "row:"+name)
	}
	for name := range sessionHandlers() {
		names = append(names, "session:"+name)
	}
	return append(slices.Clone(classNames), names...)
}

// Kept is how much a decoder keeps of a stream: of calls, of sub-agents and
// requests, and of text.
func Kept(d any) (calls, others, text int) {
	talk := &d.(*decoder).talk
	return len(talk.calls.open), len(talk.children) + len(talk.asked), len(talk.said.head)
}
