package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxAsked bounds the requests that are remembered to know what is withdrawn.
const maxAsked = 256

// decoder decodes one stream.
type decoder struct {
	repairs Repairs
	session string // updates of other sessions are none of ours, unless it is ""

	message  framed[agent.TextDelta]
	thought  framed[agent.ThinkingDelta]
	names    names
	echo     echo
	deferred string // an error that waits for the end of the turn

	calls    calls
	asked    map[string]agent.Event // what withdraws a request, by its id
	pages    map[string]string      // the names of elicitations by URL, by their ids
	spent    float64                // what the session has cost so far
	settings settings

	// ask is told by which name, and about which call, the user is asked about
	// a request. It is false where that waits for no answer any more. unasked is
	// told of one that cannot be asked. A driver sets them; they have no part in
	// what a line means.
	ask     func(id []byte, name, call string) bool
	unasked func(id []byte, err error)

	out []agent.Event // of the line that is being decoded
}

// begin forgets a turn that did not end in the stream.
func (d *decoder) begin() {
	d.endTurn()
	d.out = d.out[:0]
}

func newDecoder(r Repairs) *decoder {
	return &decoder{repairs: r, names: make(names), calls: newCalls(), asked: make(map[string]agent.Event), pages: make(map[string]string)}
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
	if m.Method != "" {
		d.release()
	}
	switch m.Method {
	case "":
		err = d.answer(m)
	case v1.MethodSessionUpdate:
		name, err = d.update(clean, m.Params)
	default:
		name = m.Method
		if err = d.call(clean, m); err != nil && d.unasked != nil && m.ID != nil {
			d.unasked(m.ID, err)
		}
	}
	if err != nil && !errors.Is(err, dialect.ErrNotObject) {
		return &dialect.MalformedError{Type: name, Raw: line, Err: err}
	}
	return err
}

// update decodes a notification session/update, and gives its kind.
func (d *decoder) update(line, params []byte) (kind string, err error) {
	var p struct {
		SessionID string          `json:"sessionId"`
		Update    json.RawMessage `json:"update"`
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
	if d.session != "" && p.SessionID != d.session {
		return tag.Kind, fmt.Errorf("it belongs to another session, %.80q", p.SessionID)
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

// pose asks the user, unless the request may not be asked about. Its id is
// remembered with what takes the question back.
func (d *decoder) pose(id []byte, name, call string, asked, withdrawn agent.Event) {
	if d.ask != nil && !d.ask(id, name, call) {
		return
	}
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
