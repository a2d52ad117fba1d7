package dialect

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// tableDecoder decodes one stream by a table.
type tableDecoder[S any] struct {
	*Compiled[S]
	kinds []map[string]*Kind[S]
	state *S
	line  Line
}

func (c *Compiled[S]) decoder(state *S) *tableDecoder[S] {
	d := &tableDecoder[S]{Compiled: c, kinds: c.kinds(), state: state}
	switch {
	case state != nil:
	case c.table.New != nil:
		d.state = c.table.New()
	default:
		d.state = new(S)
	}
	d.line.within = d.decode
	if onText := c.table.OnText; onText != nil {
		d.line.onText = func(text agent.Text) { onText(d.state, text) }
	}
	return d
}

// Decode implements [Decoder].
func (d *tableDecoder[S]) Decode(line []byte, yield func(agent.Event) bool) error {
	l := &d.line
	if e := l.pieces.match(line, l.onText); e != nil {
		yield(e)
		return nil
	}
	l.begin(line, yield)
	if !d.table.Stateless {
		l.pieces.forget()
	}
	if !l.unwrap(line) {
		l.envelope.forget()
		top, err := l.scratch.object(line)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrNotObject, err)
		}
		if !d.decode(top) {
			return ErrNotObject
		}
	}
	if fault := l.scratch.fault; fault != nil {
		return &MalformedError{Type: d.table.Forms[l.Form].Prefix + l.Name, Raw: line, Err: fault}
	}
	if !d.table.EachLine {
		l.learn()
		l.envelope.learn(l)
	}
	return nil
}

// decode decodes the event with the members top, and reports whether they form
// an event.
func (d *tableDecoder[S]) decode(top *Fields) bool {
	l := &d.line
	kind, named := d.open(top)
	switch {
	case !named:
		return false
	case d.table.Before != nil && !d.table.Before(d.state, l):
	case kind == nil:
		d.unknown()
	case kind.Event != nil:
		l.Emit(kind.Event(l))
	case kind.Decode != nil:
		kind.Decode(d.state, l)
	}
	return true
}

// unknown emits an event with an unknown name.
func (d *tableDecoder[S]) unknown() {
	l := &d.line
	if l.doubt != nil {
		l.doubt(lint.UnknownEvent(l.Bytes, l.Name, d.types()))
	}
	if d.table.Unknown != nil {
		d.table.Unknown(d.state, l)
		return
	}
	l.EmitUnknown()
}

// Doubt implements [Doubter].
func (d *tableDecoder[S]) Doubt(tell func(Finding)) { d.line.doubt = tell }

// open finds the kind of an event, or nil if its name is unknown. named
// reports whether it has a name.
func (d *tableDecoder[S]) open(top *Fields) (kind *Kind[S], named bool) {
	l := &d.line
	l.Top = top
	form, name := -1, (*member)(nil)
	for i := range d.table.Forms {
		f := &d.table.Forms[i]
		if f.Name != nil {
			l.Form, l.Fields = i, top
			if own := f.Name(l); own != "" {
				l.Name = own
				return d.kinds[i][own], true
			}
			continue
		}
		m := f.name(top)
		if m == nil {
			continue
		}
		l.Form, l.Fields = i, top
		if f.Body != "" {
			l.Fields = top.body(f.Body)
		}
		if f.Is != nil && !f.Is(l) {
			continue
		}
		if kind = d.kinds[i][string(m.value[1:len(m.value)-1])]; kind == nil && hasEscape(m.value) {
			kind = d.kinds[i][rawjson.String(m.value[1:len(m.value)-1]).String()]
		}
		if kind != nil {
			l.Name = kind.Name
			if body := top.member(f.Body); f.Body != "" && body != nil && body.value[0] != '{' && body.value[0] != 'n' {
				top.wrong(body, "an object")
			}
			return kind, true
		}
		if form < 0 {
			form, name = i, m
		}
	}
	if form < 0 {
		return nil, false
	}
	l.Form, l.Fields, l.Name = form, top, rawjson.String(name.value[1:len(name.value)-1]).String()
	if body := d.table.Forms[form].Body; body != "" {
		l.Fields = top.body(body)
	}
	return nil, true
}

func (d *tableDecoder[S]) recognise(line []byte) bool {
	d.line.begin(line, nil)
	top, err := d.line.scratch.object(line)
	if err != nil {
		return false
	}
	kind, _ := d.open(top)
	return kind != nil && (d.table.Recognise == nil || d.table.Recognise(&d.line))
}

// maxCause limits the length of an error message sent to the agent, in bytes.
const maxCause = 500

// Refuse implements [Refuser].
func (d *tableDecoder[S]) Refuse(line []byte, cause error) agent.Event {
	d.line.begin(line, nil)
	top, _ := d.line.scratch.object(line) // the members up to the mistake
	kind, _ := d.open(top)
	if kind == nil || kind.Refuse == nil {
		return nil
	}
	if malformed, ok := errors.AsType[*MalformedError](cause); ok {
		cause = malformed.Err
	}
	text := cause.Error()
	return kind.Refuse(&d.line, "invalid request: "+text[:min(len(text), maxCause)])
}

// End implements [Ender].
func (d *tableDecoder[S]) End(yield func(agent.Event) bool) {
	if d.table.End == nil {
		return
	}
	d.line.begin(nil, yield)
	d.line.Fields, d.line.Top = nil, nil
	d.table.End(d.state, &d.line)
}
