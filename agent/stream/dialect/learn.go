package dialect

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// learned is what a line can be known by that is a piece of text: where its text
// stands, and which other values of it may vary.
type learned struct {
	frame  *frame
	text   rawjson.Span // with its quotation marks
	extra  bool         // the event has the line's Extra
	extras int          // how many of the values that vary it has
	vary   []rawjson.Span
}

// isPiece notes that the line is a piece with the text, if the text is a part of
// it, and the event has no Extra but the one that was read from the line.
func (l *Line) isPiece(f *frame, piece agent.Text, base *agent.Base) bool {
	f.Forget()
	text, extra := rawjson.Body(piece), base.Extra
	from := l.index(text)
	if len(text) == 0 || from < 1 || from+len(text) >= len(l.Bytes) || &l.Bytes[from] != &text[0] {
		return false
	}
	if len(extra) > 0 && (len(l.events.extra) == 0 || &extra[0] != &l.events.extra[0]) {
		return false
	}
	p := &l.pieces
	p.own.frame, p.own.text, p.own.extra = f, rawjson.Span{From: from - 1, To: from + len(text) + 1}, len(extra) > 0
	p.last = &p.own
	return true
}

// index returns the offset of a part of the line. Both slices share an array and end
// at its end, so their capacities differ by the bytes between their beginnings.
func (l *Line) index(part []byte) int { return cap(l.Bytes) - cap(part) }

// learn remembers the line if a piece is all that it says.
func (l *Line) learn() {
	p := l.pieces.last
	if p == nil || l.emitted != 1 {
		return
	}
	p.frame.keys, p.vary, p.extras = p.frame.keys[:0], p.vary[:0], 0
	if l.varying(l.scratch.objects[0], p) && (!p.extra || p.extras == l.events.extras) {
		p.frame.Learn(l.Bytes, p.text, p.vary...)
	}
}

// varying adds the values that were not read to those that may vary. It returns false
// if the text was also read as a part of another value.
func (l *Line) varying(f *Fields, p *learned) bool {
	if f.whole {
		return !l.holds(f.raw, p)
	}
	for i := range f.list {
		m := &f.list[i]
		switch {
		case m.whole:
			if l.holds(m.value, p) {
				return false
			}
		case m.object != nil:
			if !l.varying(m.object, p) {
				return false
			}
		case !m.read:
			from := l.index(m.value)
			p.vary = append(p.vary, rawjson.Span{From: from, To: from + len(m.value)})
			var key []byte
			if p.extra && m.extra {
				key = appendKey(nil, rawjson.String(m.key).Clean(), p.extras == 0)
				p.extras++
			}
			p.frame.keys = append(p.frame.keys, key)
		}
	}
	return true
}

// appendKey appends what an Extra has before a member's value.
func appendKey(extra, key []byte, first bool) []byte {
	if !first {
		extra = append(extra, ',')
	}
	return append(append(append(extra, '"'), key...), '"', ':')
}

// holds reports whether the piece is in a part of the line.
func (l *Line) holds(part []byte, p *learned) bool {
	from := l.index(part)
	return p.text.From >= from && p.text.To <= from+len(part)
}
