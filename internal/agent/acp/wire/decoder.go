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

// maxAsked bounds the requests that are remembered to know what is withdrawn.
const maxAsked = 256

// decoder decodes one stream.
type decoder struct {
	message framed[agent.TextDelta]
	thought framed[agent.ThinkingDelta]
	names   names
	echo    echo

	calls    calls
	asked    map[string]agent.Event // what withdraws a request, by its id
	pages    map[string]string      // the names of elicitations by URL, by their ids
	spent    float64                // what the session has cost so far
	settings settings

	out []agent.Event // of the line that is being decoded
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

// cold decodes any line, into out.
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

// update decodes a notification session/update, and gives its kind.
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

// call decodes what the agent asks of the client.
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

// unknown keeps a line as it came. It has no "type" by which those who watch
// could tell it from an event, and so stands in an object that has one.
func unknown(name string, line []byte) *agent.Unknown {
	raw := rawjson.AppendString([]byte(`{"type":`), name)
	raw = append(append(raw, `,"message":`...), bytes.TrimSpace(line)...)
	return &agent.Unknown{Name: name, Raw: append(raw, '}')}
}

// file leaves the text of the file out, which is no business of those who
// watch.
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

// pose asks the user. The request's id is remembered with the event that withdraws the
// question.
func (d *decoder) pose(id []byte, asked, withdrawn agent.Event) {
	if len(id) > 0 && len(d.asked) < maxAsked {
		d.asked[string(id)] = withdrawn
	}
	d.say(asked)
}

// withdraw says that nobody waits for the answer to a request any more.
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

// unmarshal wants an object; PHP and Lua write [] for an empty one.
func unmarshal(raw []byte, to any) error {
	if len(raw) == 0 || string(raw) == "null" {
		return errNoParams
	}
	if string(raw) == "[]" {
		return nil
	}
	return exactjson.Unmarshal(raw, to)
}
