package dialect

import (
	"reflect"

	"github.com/turnwire/turnwire/agent"
)

// maxKeptExtra limits the size of a buffer for unknown members that is reused.
const maxKeptExtra = 64 << 10

// events holds the events that come by the thousand. They are reused: an event
// is valid until the next one is requested.
type events struct {
	start    agent.ToolStart
	progress agent.ToolProgress
	end      agent.ToolEnd
	native   []*slot // by index in [agent.Variants]
	extra    []byte
	extras   int // number of members in extra
}

// EmitStart emits e, reusing one event's memory.
func (l *Line) EmitStart(e agent.ToolStart) bool {
	l.events.start = e
	return l.Emit(&l.events.start)
}

// EmitProgress emits e, reusing one event's memory.
func (l *Line) EmitProgress(e agent.ToolProgress) bool {
	l.events.progress = e
	return l.Emit(&l.events.progress)
}

// EmitEnd emits e, reusing one event's memory.
func (l *Line) EmitEnd(e agent.ToolEnd) bool {
	l.events.end = e
	return l.Emit(&l.events.end)
}

// A slot is the memory of a native event, with the struct tags of its type.
type slot struct {
	event  agent.Event
	value  reflect.Value
	record *record
}

// lacks reports whether any of these members is missing or empty.
func (s *slot) lacks(members [][]int) bool {
	for _, index := range members {
		if field(s.value, index).IsZero() {
			return true
		}
	}
	return false
}

// slot returns the slot of the variant at an index in [agent.Variants], with its
// event emptied.
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
