package awaken

import (
	"bytes"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decoder decodes one stream. The events that come by the thousand live in it
// and are used again for each line.
type decoder struct {
	run     *run
	line    message // the one that is decoded
	calls   calls
	subruns subruns
	yield   func(agent.Event) bool
	going   bool // the last yield wanted more

	textFrame, thoughtFrame rawjson.Frame
	text                    agent.TextDelta
	thought                 agent.ThinkingDelta
	output                  agent.ToolOutput
	piece                   agent.ToolArgsDelta
}

func newDecoder(r *run) *decoder { return &decoder{run: r} }

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	if text, ok := d.textFrame.Match(line); ok {
		d.text = agent.TextDelta{Text: text}
		yield(&d.text)
		return nil
	}
	if text, ok := d.thoughtFrame.Match(line); ok {
		d.thought = agent.ThinkingDelta{Thinking: text}
		yield(&d.thought)
		return nil
	}
	var err error
	if d.line, err = parse(line); err != nil {
		return err
	}
	d.yield, d.going = yield, true
	if err := d.decode(line, &d.line); err != nil {
		return &dialect.MalformedError{Type: d.line.typeName(), Raw: line, Err: err}
	}
	return nil
}

// emit yields e. Who has had enough is not asked again.
func (d *decoder) emit(e agent.Event) { d.going = d.going && d.yield(e) }

var errNotText = errors.New("its text is no string")

// textOf is a piece of text of an event, and where in the line its token is. A missing one
// is empty.
func textOf(m *message, name string) (text rawjson.String, from, to int, err error) {
	value, at := m.field(name)
	if !present(value) {
		return nil, 0, 0, nil
	}
	if value[0] != '"' {
		return nil, 0, 0, errNotText
	}
	return rawjson.String(value[1 : len(value)-1]), at, at + len(value), nil
}

func (d *decoder) textDelta(line []byte, m *message) error {
	text, from, to, err := textOf(m, "delta")
	if err != nil || len(text) == 0 {
		return err
	}
	if s := d.subruns.of(m); s != nil { // what a sub-agent says is its call's output
		d.output = agent.ToolOutput{ToolCallID: s.callID, Text: text}
		d.emit(&d.output)
		return nil
	}
	d.textFrame.Learn(line, from, to, countsOf(line)...)
	d.text = agent.TextDelta{Text: text}
	d.emit(&d.text)
	return nil
}

func (d *decoder) reasoningDelta(line []byte, m *message) error {
	text, from, to, err := textOf(m, "delta")
	if err != nil || len(text) == 0 {
		return err
	}
	if d.subruns.of(m) == nil {
		d.thoughtFrame.Learn(line, from, to, countsOf(line)...)
	}
	d.thought = agent.ThinkingDelta{Thinking: text}
	d.emit(&d.thought)
	return nil
}

// argsDelta passes on a piece of a call's arguments.
func (d *decoder) argsDelta(m *message) error {
	text, _, _, err := textOf(m, "args_delta")
	if err != nil || len(text) == 0 {
		return err
	}
	id, err := d.id(m, "id")
	if err != nil {
		return err
	}
	d.piece = agent.ToolArgsDelta{ToolCallID: id, Delta: text.Clean()}
	d.emit(&d.piece)
	return nil
}

// outputDelta passes on what a tool prints, or a sub-agent says. Such an event
// may be the first of its call (the model's pieces can have been lost).
func (d *decoder) outputDelta(m *message) error {
	text, _, _, err := textOf(m, "delta")
	if err != nil || len(text) == 0 {
		return err
	}
	id, err := d.id(m, "id")
	if err != nil {
		return err
	}
	if d.calls.find(id) == nil {
		name, _, _, err := textOf(m, "name")
		if err != nil {
			return err
		}
		d.announce(id, name.String(), "")
	}
	d.output = agent.ToolOutput{ToolCallID: id, Text: text}
	d.emit(&d.output)
	return nil
}

var errNoID = errors.New("it names no call")

// id is the call that an event is about, without a copy where it is known.
func (d *decoder) id(m *message, name string) (string, error) {
	text, _, _, err := textOf(m, name)
	if err != nil {
		return "", err
	}
	if len(text) == 0 {
		return "", errNoID
	}
	if bytes.IndexByte(text, '\\') < 0 {
		for _, k := range d.calls.list {
			if k.id == string(text) {
				return k.id, nil
			}
		}
	}
	return text.String(), nil
}

// announce shows a call that nobody has announced.
func (d *decoder) announce(id, name, parent string) *call {
	k := d.calls.open(id, name)
	k.state = underway
	e := &agent.ToolStart{ToolCallID: id, ToolName: k.name, ParentToolCallID: parent}
	fill(&e.View, k.name, nil)
	d.emit(e)
	return k
}

// fields reads an event's fields. Those that are missing or null stay as they
// are.
func (m *message) fields(into any) error { return exactjson.Unmarshal(m.body, into) }
