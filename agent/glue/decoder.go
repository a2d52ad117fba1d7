package glue

import (
	"bytes"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/dialect"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// decoder decodes one stream.
type decoder struct {
	hot  hot
	talk conversation
}

func newDecoder() *decoder { return &decoder{talk: conversation{family: &family{}}} }

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	if e := d.hot.decode(line, &d.talk); e != nil {
		yield(e)
		return nil
	}
	d.talk.out = d.talk.out[:0]
	if err := d.cold(line); err != nil {
		return err
	}
	for _, e := range d.talk.out {
		d.talk.note(e)
	}
	for _, e := range d.talk.out {
		if !yield(e) {
			return nil
		}
	}
	return nil
}

// cold decodes a line of any type.
func (d *decoder) cold(line []byte) error {
	var fault error
	clean := jsontext.CleanValue(line)
	f, err := readFields(clean, &fault)
	if err != nil {
		return fmt.Errorf("%w: %w", dialect.ErrNotObject, err)
	}
	name, ok := f.typeName()
	if !ok {
		return dialect.ErrNotObject
	}
	k, known := find(name, &f)
	if !known {
		d.talk.emit(&agent.Unknown{Name: name, Raw: bytes.TrimSpace(f.raw)})
		return nil
	}
	if k.pieces && !bytes.Equal(clean, line) {
		// The tracker puts the halves of a character together.
		if f, err = readFields(line, &fault); err != nil {
			return fmt.Errorf("%w: %w", dialect.ErrNotObject, err)
		}
	}
	k.handle(&d.talk, &f)
	if fault != nil {
		return &dialect.MalformedError{Type: name, Raw: line, Err: fault}
	}
	return nil
}
