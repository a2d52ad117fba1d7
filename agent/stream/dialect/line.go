package dialect

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Line is one event as the agent wrote it: its members, and the rest of its line. It
// is valid until its handler returns.
type Line struct {
	*Fields
	// Top holds the members of the line, or of the nested object being decoded.
	Top *Fields
	// Name is the event's name, without its form's prefix.
	Name string
	// Form is the index of the event's form in the table.
	Form int
	// Bytes is the whole line.
	Bytes []byte

	scratch  scratch
	pieces   pieces
	envelope envelope
	events   events
	yield    func(agent.Event) bool
	going    bool // the receiver wants more events
	emitted  int
	onText   func(agent.Text) // nil if unused
	within   func(*Fields) bool
	doubt    func(lint.Finding) // nil if unused
}

func (l *Line) begin(line []byte, yield func(agent.Event) bool) {
	l.scratch.reset()
	l.Bytes, l.yield, l.going, l.emitted, l.pieces.last = line, yield, true, 0, nil
	l.envelope.count = 0
}

// Emit passes an event to the receiver, and reports whether it wants more. The receiver
// may modify the event before Emit returns. Emit drops the event if the line has a
// fault, or if the receiver wants no more.
func (l *Line) Emit(e agent.Event) bool {
	if l.scratch.fault != nil {
		return false
	}
	l.emitted++
	l.going = l.going && l.yield(e)
	return l.going
}

// EmitUnknown emits the line as an event that the dialect doesn't define.
func (l *Line) EmitUnknown() {
	l.Emit(&agent.Unknown{Name: l.Name, Raw: l.Unread()})
}

// Unread returns the event as the agent wrote it, for an [agent.Unknown].
func (l *Line) Unread() agent.Raw { return bytes.TrimSpace(rawjson.CleanValue(l.Top.JSON())) }

// IsWithin reports whether the event is nested in the line.
func (l *Line) IsWithin() bool { return len(l.Top.raw) < len(l.Bytes) }

// Fault records an error in the line, unless it already has one.
func (l *Line) Fault(err error) {
	if l.scratch.fault == nil {
		l.scratch.fault = err
	}
}

// OK reports whether the line has no fault so far. A handler checks it before it
// changes its state.
func (l *Line) OK() bool { return l.scratch.fault == nil }

// Lenient calls read, and ignores values of the wrong kind that it reads.
func (l *Line) Lenient(read func()) {
	fault := l.scratch.fault
	read()
	l.scratch.fault = fault
}

// Within decodes an event nested in the line.
func (l *Line) Within(event *Fields) {
	fields, top, name, form := l.Fields, l.Top, l.Name, l.Form
	if event == nil || !l.within(event) {
		l.Fault(ErrNotObject)
	}
	l.Fields, l.Top, l.Name, l.Form = fields, top, name, form
}

// ReadEvent decodes the members as the native event at an index in [agent.Variants].
// The members have their native names. Those that the event's type doesn't define
// become its Extra. A failure is recorded as a fault of the line.
func (l *Line) ReadEvent(variant int) (e agent.Event, ok bool) {
	slot := l.events.slot(variant)
	extra, extras := l.events.extra[:0], 0
	err := l.readRecord(slot.value, slot.record, func(m *member) {
		if string(m.key) == "type" {
			return
		}
		m.extra = true
		extras++
		key, value := rawjson.String(m.key), m.value
		if l.escapes {
			key = key.Clean()
		}
		if m.lone {
			value = rawjson.CleanValue(value)
		}
		extra = append(appendKey(extra, key, len(extra) == 0), value...)
	})
	// A text may be empty. Leftover members suggest that it has a wrong name.
	if l.doubt != nil && err == nil && (l.scratch.strange || slot.lacks(slot.record.ids) || len(extra) > 0 && slot.lacks(slot.record.required)) {
		l.inspect()
	}
	if len(extra) > 0 {
		slot.event.Common().Extra = extra
		if cap(extra) <= maxKeptExtra {
			l.events.extra, l.events.extras = extra, extras
		}
	}
	if err != nil {
		l.Fault(err)
	}
	return slot.event, err == nil
}

// inspect reports missing and unknown members of the event, and values outside their
// enumerations.
func (l *Line) inspect() {
	for _, f := range lint.Members(l.JSON()) {
		if f.Severity == lint.Error || f.Rule == "unknown-value" {
			l.doubt(f)
		}
	}
}
