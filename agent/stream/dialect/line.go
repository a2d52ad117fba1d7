package dialect

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Line is an event as it was written: its own members, and what else its line
// says. It is valid until its handler returns.
type Line struct {
	*Fields
	// Top are the members of the line, or of what was decoded within it.
	Top *Fields
	// Name is the event's name, without the prefix of its form.
	Name string
	// Form is the index of its form.
	Form int
	// Bytes are the whole line.
	Bytes []byte

	scratch  scratch
	pieces   pieces
	envelope envelope
	events   events
	yield    func(agent.Event) bool
	going    bool // the receiver wants more
	emitted  int
	said     func(agent.Text) // nil where nobody wants to know
	within   func(*Fields) bool
	doubt    func(lint.Finding) // nil where nobody wants to know
}

func (l *Line) begin(line []byte, yield func(agent.Event) bool) {
	l.scratch.reset()
	l.Bytes, l.yield, l.going, l.emitted, l.pieces.last = line, yield, true, 0, nil
	l.envelope.count = 0
}

// Emit hands an event over, and reports whether the receiver wants more. The
// event may be changed meanwhile. Nothing is handed over of a line that is at
// fault, or to a receiver that has had enough.
func (l *Line) Emit(e agent.Event) bool {
	if l.scratch.fault != nil {
		return false
	}
	l.emitted++
	l.going = l.going && l.yield(e)
	return l.going
}

// EmitUnknown hands the line over as an event that the dialect does not have.
func (l *Line) EmitUnknown() {
	l.Emit(&agent.Unknown{Name: l.Name, Raw: l.Unread()})
}

// Unread is the event as it was written, for an [agent.Unknown].
func (l *Line) Unread() agent.Raw { return bytes.TrimSpace(rawjson.CleanValue(l.Top.raw)) }

// Fault notes what is wrong with the line, unless something was before.
func (l *Line) Fault(err error) {
	if l.scratch.fault == nil {
		l.scratch.fault = err
	}
}

// OK reports whether nothing is wrong with the line so far. A handler asks before
// it changes what it remembers.
func (l *Line) OK() bool { return l.scratch.fault == nil }

// Lenient calls read. Values of the wrong kind that it reads are no fault.
func (l *Line) Lenient(read func()) {
	fault := l.scratch.fault
	read()
	l.scratch.fault = fault
}

// Within decodes an event that stands within the line.
func (l *Line) Within(event *Fields) {
	fields, top, name, form := l.Fields, l.Top, l.Name, l.Form
	if event == nil || !l.within(event) {
		l.Fault(ErrNotObject)
	}
	l.Fields, l.Top, l.Name, l.Form = fields, top, name, form
}

// ReadEvent decodes the members as the event of the native dialect at a place in
// [agent.Variants], whose own names they have; those that its type does not
// define become its Extra. Where that fails it is the line's fault.
func (l *Line) ReadEvent(variant int) (e agent.Event, ok bool) {
	slot := l.events.slot(variant)
	extra := l.events.extra[:0]
	err := l.readRecord(slot.value, slot.record, func(m *member) {
		if string(m.key) == "type" {
			return
		}
		if len(extra) > 0 {
			extra = append(extra, ',')
		}
		key, value := rawjson.String(m.key), m.value
		if l.escapes {
			key = key.Clean()
		}
		if m.lone {
			value = rawjson.CleanValue(value)
		}
		extra = append(append(append(extra, '"'), key...), '"', ':')
		extra = append(extra, value...)
	})
	if len(extra) > 0 {
		if l.doubt != nil && err == nil && slot.lacks() {
			l.misnamed()
		}
		slot.event.Common().Extra = extra
		if cap(extra) <= maxKeptExtra {
			l.events.extra = extra
		}
	}
	if err != nil {
		l.Fault(err)
	}
	return slot.event, err == nil
}

// misnamed tells of what the event has in members that it does not have.
func (l *Line) misnamed() {
	for _, f := range lint.Members(l.JSON()) {
		if f.Severity == lint.Error {
			l.doubt(f)
		}
	}
}
