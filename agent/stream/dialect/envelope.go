package dialect

import "bytes"

// maxEnvelope limits how much of an envelope is remembered, in bytes.
const maxEnvelope = 4 << 10

// An envelope is the part of a line around an event that was unwrapped. If the
// next line has the same envelope, only its event has to be parsed.
type envelope struct {
	head, tail []byte
	form       int // form of the outer event
	name       string

	// Describe the current line: the offsets of its inner event, and how many
	// events were unwrapped.
	from, to, count int
}

// Unwrap decodes an event nested in the line, as [Line.Within] does. It is for
// handlers that do nothing else with such a line unless the surrounding members
// changed. While those stay the same, later lines are decoded without calling the
// handler, and without calling [Table.Before] for the outer line.
func (l *Line) Unwrap(event *Fields) {
	l.Within(event)
	e := &l.envelope
	e.count++
	if event != nil {
		// See isPiece.
		e.from = cap(l.Bytes) - cap(event.raw)
		e.to = e.from + len(event.raw)
	}
}

func (e *envelope) forget() { e.head, e.count = e.head[:0], 0 }

// learn remembers the line's envelope if the line was decoded by one Unwrap
// alone.
func (e *envelope) learn(l *Line) {
	if e.count != 1 || len(l.Bytes)-(e.to-e.from) > maxEnvelope {
		return
	}
	e.head = append(e.head[:0], l.Bytes[:e.from]...)
	e.tail = append(e.tail[:0], l.Bytes[e.to:]...)
	e.name, e.form = l.Name, l.Form
}

// open returns the event of a line with the known envelope, or nil for any other
// line.
func (e *envelope) open(line []byte) []byte {
	if len(e.head) == 0 || len(line) < len(e.head)+len(e.tail) || !bytes.HasPrefix(line, e.head) || !bytes.HasSuffix(line, e.tail) {
		return nil
	}
	return line[len(e.head) : len(line)-len(e.tail)]
}

// unwrap decodes the event of a line with the known envelope, and reports whether
// the line has it.
func (l *Line) unwrap(line []byte) bool {
	raw := l.envelope.open(line)
	if raw == nil {
		return false
	}
	event, err := l.scratch.object(raw)
	if err != nil {
		return false
	}
	l.Name, l.Form = l.envelope.name, l.envelope.form
	l.Within(event)
	l.envelope.count = 0 // don't learn it again
	return true
}
