package agentao

import (
	"bytes"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decoder decodes one stream.
type decoder struct {
	yield func(agent.Event) bool // where the events of the present line go
	going bool                   // they are still wanted

	text   textLine
	output outputLine
	said   said

	calls     calls
	approvals []approval
	helpers   []*helper
	question  string // the last that was asked and is open
	numbers   map[string]int

	begun   *atomic.Bool // another host has served the session; nil where there is none
	hosted  bool         // the lines come from the host, which asks by itself
	counted bool         // requests to the model are told of
	stepped bool         // the round with the model has been announced
	blame   string       // the class of the last failure of the model
}

// Decode implements [dialect.Decoder].
func (d *decoder) Decode(line []byte, yield func(agent.Event) bool) error {
	d.yield, d.going = yield, true
	if d.hot(line) || d.textOf(line) {
		return nil
	}
	e, err := open(line)
	if err != nil {
		return err
	}
	handle := handlers[e.name]
	if handle == nil {
		d.emit(&agent.Unknown{Name: e.name, Raw: bytes.TrimSpace(rawjson.CleanValue(line))})
		return nil
	}
	d.hosted = d.hosted || strings.HasPrefix(e.name, hostPrefix)
	if e.name == "tool_output" && d.learnOutput(line) {
		return nil
	}
	if err := handle(d, strings.TrimPrefix(e.name, replayPrefix), e.data); err != nil {
		return &dialect.MalformedError{Type: e.name, Raw: line, Err: err}
	}
	return nil
}

// emit hands an event over. Who has refused one is given no other.
func (d *decoder) emit(e agent.Event) { d.going = d.going && d.yield(e) }

// next numbers what has no id of its own.
func (d *decoder) next(what string) string {
	if d.numbers == nil {
		d.numbers = make(map[string]int)
	}
	d.numbers[what]++
	return what + "-" + strconv.Itoa(d.numbers[what])
}

// read takes the members of an event. That there are none is no mistake: every
// member is optional.
func read(data []byte, to any) error {
	if data == nil {
		return nil
	}
	return exactjson.Unmarshal(data, to)
}

// value is a JSON value that is passed on as it came; null is none.
func value(raw agent.Raw) agent.Raw {
	if string(raw) == "null" {
		return nil
	}
	return rawjson.CleanValue(raw)
}

// content is a tool's result. It is a string; anything else is shown as JSON.
func content(raw agent.Raw) rawjson.String {
	if raw = value(raw); len(raw) == 0 {
		return nil
	}
	if s, err := rawjson.Parse(raw); err == nil {
		return s
	}
	return rawjson.Quote(string(raw))
}
