package wire

import (
	"bytes"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decoder decodes one stream.
type decoder struct {
	hot  hot
	talk conversation
	rows bool // the stream is a conversation.jsonl
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
	d.pass(yield)
	return nil
}

// End implements [dialect.Ender]: a conversation has no row for the end of a
// turn, and its last turn ends with the file.
func (d *decoder) End(yield func(agent.Event) bool) {
	d.talk.out = d.talk.out[:0]
	if d.rows && d.talk.running {
		d.talk.done()
	}
	d.pass(yield)
}

// pass yields what has come together.
func (d *decoder) pass(yield func(agent.Event) bool) {
	for _, e := range d.talk.out {
		d.talk.note(e)
	}
	for _, e := range d.talk.out {
		if !yield(e) {
			return
		}
	}
}

// cold decodes a line of any type.
func (d *decoder) cold(line []byte) error {
	var fault error
	clean := rawjson.CleanValue(line)
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
		// The normalizer puts the halves of a character together.
		if f, err = readFields(line, &fault); err != nil {
			return fmt.Errorf("%w: %w", dialect.ErrNotObject, err)
		}
	}
	d.rows = d.rows || k.row
	k.handle(&d.talk, &f)
	if fault != nil {
		return &dialect.MalformedError{Type: name, Raw: line, Err: fault}
	}
	return nil
}
