package dialect

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// learned describes a line that is a single piece of text: where the text is, and
// which other values may vary.
type learned struct {
	frame  *frame
	text   rawjson.Span // including the quotation marks
	extra  bool         // the event's Extra comes from the line
	extras int          // number of values in vary that belong to Extra
	vary   []rawjson.Span
}

// isPiece records that the line is a piece with this text, if the text is a slice of
// the line and any Extra of the event was read from the line.
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

// index returns the offset in the line of part, a slice of it. Both slices have the
// same array and end, so their capacities differ by the offset.
func (l *Line) index(part []byte) int { return cap(l.Bytes) - cap(part) }

// learn remembers the line if a single piece is its only event.
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

// varying adds the values that were not read to p.vary. It returns false if the text
// was also read as part of another value.
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

// appendKey appends what precedes a member's value in Extra.
func appendKey(extra, key []byte, first bool) []byte {
	if !first {
		extra = append(extra, ',')
	}
	return append(append(append(extra, '"'), key...), '"', ':')
}

// holds reports whether part contains the piece's text.
func (l *Line) holds(part []byte, p *learned) bool {
	from := l.index(part)
	return p.text.From >= from && p.text.To <= from+len(part)
}
