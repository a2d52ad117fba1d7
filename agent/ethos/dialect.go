package ethos

import (
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Dialect is what Ethos writes.
var Dialect = dialect.Dialect{
	Name:       "ethos",
	Types:      types,
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return newDecoder() },
}

// coreTypes are the members of AgentEvent at the head of Ethos; the first
// eleven are those of seed 000.
var coreTypes = []string{
	"run_start", "context_meta", "text_delta", "thinking_delta",
	"tool_start", "tool_progress", "tool_end", "usage", "error", "done",
	"halt", "dry_run_summary", "tool_approval_required", "tool_approval_response",
	"evaluators_complete", "credential_required", "notification_received",
}

// envelopeTypes are the lines of the private JSON-RPC that bear on a turn.
var envelopeTypes = []string{"jsonrpc:stream", "jsonrpc:result", "jsonrpc:error"}

func types() []string {
	all := append(append([]string(nil), coreTypes...), envelopeTypes...)
	for _, p := range pushes {
		all = append(all, p.name)
	}
	return all
}

// recognise takes what no other dialect writes. Bare AgentEvents are left to
// the native dialect, of which they are a part.
func recognise(line []byte) bool {
	m, err := members(line)
	if err != nil {
		return false
	}
	if m.kind != nil {
		p := push(m.kind)
		return p != nil && p.own
	}
	if string(m.method) == streamMethod {
		return true
	}
	var hello struct {
		ServerName any `json:"serverName"`
	}
	return m.result != nil && exactjson.Unmarshal(m.result, &hello) == nil && hello.ServerName == "ethos"
}

// message is what of a line tells what it is, each part nil where it is absent.
type message struct {
	kind   []byte // the body of "type"
	id     []byte
	method []byte // its body
	params []byte
	result []byte
	fail   []byte
	at     int // where params begin in the line
}

// members takes a line apart.
func members(line []byte) (m message, err error) {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			m.kind = text(value)
		case "id":
			m.id = value
		case "method":
			m.method = text(value)
		case "params":
			m.params = value
			m.at, _ = o.Span()
		case "result":
			m.result = value
		case "error":
			if string(value) != "null" {
				m.fail = value
			}
		}
	}
	if o.Err() != nil {
		return message{}, dialect.ErrNotObject
	}
	return m, nil
}

// text is the body of a string, nil where the value is none.
func text(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}

// newNative decodes bare AgentEvents.
func newNative() dialect.Decoder { return native.Dialect.NewDecoder() }
