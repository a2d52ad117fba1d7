package dialect

import "bytes"

// maxEnvelope bounds what is remembered of an envelope.
const maxEnvelope = 4 << 10

// An envelope is what stands around an event that was unwrapped. Where the next
// line has the same, a walk over its event alone decodes it.
type envelope struct {
	head, tail []byte
	form       int // of the event that holds the other
	name       string

	// Of the line that is decoded: where the event within it stands, and how many
	// were unwrapped.
	from, to, count int
}

// Unwrap decodes an event that stands within the line, as [Line.Within] does. It
// is for handlers that do nothing else with such a line, unless what stands
// around the event has changed: with the same around it, the event of the next
// line is decoded without the handler, and without [Table.Before] for its line.
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

// learn remembers the envelope of the line if its event is all that was decoded.
func (e *envelope) learn(l *Line) {
	if e.count != 1 || len(l.Bytes)-(e.to-e.from) > maxEnvelope {
		return
	}
	e.head = append(e.head[:0], l.Bytes[:e.from]...)
	e.tail = append(e.tail[:0], l.Bytes[e.to:]...)
	e.name, e.form = l.Name, l.Form
}

// open returns what a line has in the known envelope, nil where it has another.
func (e *envelope) open(line []byte) []byte {
	if len(e.head) == 0 || len(line) < len(e.head)+len(e.tail) || !bytes.HasPrefix(line, e.head) || !bytes.HasSuffix(line, e.tail) {
		return nil
	}
	return line[len(e.head) : len(line)-len(e.tail)]
}

// unwrap decodes the event of a line that has the known envelope, and reports
// whether the line has it.
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
	l.envelope.count = 0 // it is known already
	return true
}
