package wire

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxAsked limits the requests that are remembered in case they are withdrawn.
const maxAsked = 256

// decoder decodes one stream.
type decoder struct {
	message framed[agent.TextDelta]
	thought framed[agent.ThinkingDelta]
	names   names
	echo    echo

	calls    calls
	asked    map[string]agent.Event // by request id: the event that withdraws the request
	pages    map[string]string      // by elicitation id: the question id of an elicitation by URL
	spent    float64                // the session's cost so far
	settings settings

	out []agent.Event // events of the current line
}

func newDecoder() *decoder {
	return &decoder{names: make(names), calls: newCalls(), asked: make(map[string]agent.Event), pages: make(map[string]string)}
}

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	if d.hot(line, yield) {
		return nil
	}
	d.out = d.out[:0]
	err := d.cold(line)
	for _, e := range d.out {
		if !yield(e) {
			break
		}
	}
	clear(d.out)
	return err
}

func (d *decoder) say(e agent.Event) { d.out = append(d.out, e) }

// cold decodes any line into out.
func (d *decoder) cold(line []byte) error {
	clean := rawjson.CleanValue(line)
	m, err := parse(clean)
	if err != nil {
		return err
	}
	name := "answer"
	switch m.Method {
	case "":
		err = d.answer(m)
	case v1.MethodSessionUpdate:
		name, err = d.update(clean, m.Params)
	default:
		name = m.Method
		err = d.call(clean, m)
	}
	if err != nil && !errors.Is(err, dialect.ErrNotObject) {
		return &dialect.MalformedError{Type: name, Raw: line, Err: err}
	}
	return err
}

// update decodes a session/update notification, and returns its kind.
func (d *decoder) update(line, params []byte) (kind string, err error) {
	var p struct {
		Update json.RawMessage `json:"update"`
	}
	if err := unmarshal(params, &p); err != nil {
		return v1.MethodSessionUpdate, err
	}
	var tag struct {
		Kind string `json:"sessionUpdate"`
	}
	if err := unmarshal(p.Update, &tag); err != nil {
		return v1.MethodSessionUpdate, err
	}
	if tag.Kind == "" {
		return v1.MethodSessionUpdate, errors.New("sessionUpdate is missing")
	}
	decode := updateDecoder(tag.Kind)
	if decode == nil {
		d.say(unknown(tag.Kind, line))
		return tag.Kind, nil
	}
	return tag.Kind, decode(d, p.Update)
}

// call decodes a request to the client.
func (d *decoder) call(line []byte, m jsonrpc.Message) error {
	switch m.Method {
	case v1.MethodRequestPermission:
		return d.permission(m)
	case v1.MethodElicitationCreate:
		return d.elicitation(m)
	case methodCancelRequest:
		return d.withdraw(m.Params)
	case v1.MethodReadTextFile, v1.MethodWriteTextFile:
		return d.file(m)
	case v1.MethodElicitationComplete:
		return d.completed(m.Params)
	}
	d.say(unknown(m.Method, line))
	return nil
}

// unknown returns an event with the whole line. The line has no "type" by which
// observers could recognise an event, so unknown wraps it in an object that has one.
func unknown(name string, line []byte) *agent.Unknown {
	raw := rawjson.AppendString([]byte(`{"type":`), name)
	raw = append(append(raw, `,"message":`...), bytes.TrimSpace(line)...)
	return &agent.Unknown{Name: name, Raw: append(raw, '}')}
}

// file omits the file's text, which does not concern observers.
func (d *decoder) file(m jsonrpc.Message) error {
	var p struct {
		Path string `json:"path"`
	}
	if err := unmarshal(m.Params, &p); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	d.say(&agent.Telemetry{Name: m.Method, Data: data})
	return err
}

// pose asks the user, and remembers the event that withdraws the question.
func (d *decoder) pose(id []byte, asked, withdrawn agent.Event) {
	if len(id) > 0 && len(d.asked) < maxAsked {
		d.asked[string(id)] = withdrawn
	}
	d.say(asked)
}

// withdraw reports that a request awaits no answer any more.
func (d *decoder) withdraw(params []byte) error {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if err := unmarshal(params, &p); err != nil {
		return err
	}
	if withdrawn := d.asked[string(p.RequestID)]; withdrawn != nil {
		delete(d.asked, string(p.RequestID))
		d.say(withdrawn)
	}
	return nil
}

// unmarshal decodes an object. It accepts [], which PHP and Lua write for an empty
// object.
func unmarshal(raw []byte, to any) error {
	if len(raw) == 0 || string(raw) == "null" {
		return errNoParams
	}
	if string(raw) == "[]" {
		return nil
	}
	return exactjson.Unmarshal(raw, to)
}
