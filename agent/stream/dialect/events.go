package dialect

import (
	"reflect"

	"github.com/turnwire/turnwire/agent"
)

// maxKeptExtra bounds the memory of unknown members that is used again.
const maxKeptExtra = 64 << 10

// events are those that come by the thousand. They are used again: an event is
// valid until the next is asked for.
type events struct {
	start    agent.ToolStart
	progress agent.ToolProgress
	end      agent.ToolEnd
	native   []agent.Event // by their places in [agent.Variants]
	extra    []byte
}

// EmitStart hands over that a tool runs.
func (l *Line) EmitStart(e agent.ToolStart) bool {
	l.events.start = e
	return l.Emit(&l.events.start)
}

// EmitProgress hands over how far a tool is.
func (l *Line) EmitProgress(e agent.ToolProgress) bool {
	l.events.progress = e
	return l.Emit(&l.events.progress)
}

// EmitEnd hands over that a tool call has ended.
func (l *Line) EmitEnd(e agent.ToolEnd) bool {
	l.events.end = e
	return l.Emit(&l.events.end)
}

// Event returns an empty event of the variant at a place in [agent.Variants].
func (l *Line) Event(variant int) agent.Event {
	if l.events.native == nil {
		l.events.native = make([]agent.Event, len(agent.Variants()))
	}
	e := l.events.native[variant]
	if e == nil {
		e = agent.Variants()[variant].New()
		l.events.native[variant] = e
		return e
	}
	reflect.ValueOf(e).Elem().SetZero()
	return e
}
