package dialect

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
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
func (l *Line) Unread() agent.Raw { return bytes.TrimSpace(rawjson.CleanValue(l.Top.JSON())) }

// IsWithin reports whether the event stands within the line, and not beside its
// other members.
func (l *Line) IsWithin() bool { return len(l.Top.raw) < len(l.Bytes) }

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
	// A text may well be empty; that it has another name is known by what is left over.
	if l.doubt != nil && err == nil && (l.scratch.strange || slot.lacks(slot.record.ids) || len(extra) > 0 && slot.lacks(slot.record.required)) {
		l.look()
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

// look tells of what the event lacks, has in members that it does not have, or says
// in a value that its enumeration does not have.
func (l *Line) look() {
	for _, f := range lint.Members(l.JSON()) {
		if f.Severity == lint.Error || f.Rule == "unknown-value" {
			l.doubt(f)
		}
	}
}
