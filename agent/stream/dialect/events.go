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
	native   []*slot // by their places in [agent.Variants]
	extra    []byte
	extras   int // how many members extra has
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

// A slot is the memory of a native event, and what its tags say.
type slot struct {
	event  agent.Event
	value  reflect.Value
	record *record
}

// lacks reports whether one of these members is missing or empty.
func (s *slot) lacks(members [][]int) bool {
	for _, index := range members {
		if field(s.value, index).IsZero() {
			return true
		}
	}
	return false
}

// slot returns that of the variant at a place in [agent.Variants], with an empty
// event.
func (e *events) slot(variant int) *slot {
	if e.native == nil {
		e.native = make([]*slot, len(agent.Variants()))
	}
	s := e.native[variant]
	if s == nil {
		event := agent.Variants()[variant].New()
		value := reflect.ValueOf(event).Elem()
		s = &slot{event, value, recordOf(value.Type())}
		e.native[variant] = s
		return s
	}
	s.value.SetZero()
	return s
}
