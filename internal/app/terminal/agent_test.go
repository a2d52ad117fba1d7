package terminal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// A scriptedAgent answers one prompt with the lines of a script. If the first line is
// "attached JSON", it answers session/attach with that, and no prompt follows. "meta JSON"
// before that is the _meta of the initialize response. If the first line is "unprompted",
// the script starts without a prompt.
//
//	update JSON        sends a session/update
//	permission JSON    asks for permission, and waits for the answer
//	question JSON      asks a question, and waits for the answer
//	ask JSON           asks for permission, and does not wait
//	answer             waits for the answer to the pending request
//	withdraw           withdraws the pending request
//	cancel             waits for session/cancel
//	prompt             waits for the next prompt
//	respond METHOD JSON  waits for a request, and answers it
//	stop REASON        ends the turn
//	refuse METHOD JSON waits for a request, and answers it with an error
//	fail JSON          ends the turn with an error
//	raw LINE           writes a line
//	hang               waits for EOF
type scriptedAgent struct {
	in     *bufio.Scanner
	out    io.Writer
	script []string

	initialize string // the params of that request

	mu   sync.Mutex
	seen []string // the client's messages that the script waited for
	id   int
}

// pipes returns the two ends of an in-memory connection.
func pipes() (client jsonrpc2.ObjectStream, in io.Reader, out io.WriteCloser) {
	fromAgent, toClient := io.Pipe()
	fromClient, toAgent := io.Pipe()
	return jsonrpc2.NewPlainObjectStream(&duplex{fromAgent, toAgent}), fromClient, toClient
}

type duplex struct {
	*io.PipeReader
	w *io.PipeWriter
}

func (d *duplex) Write(b []byte) (int, error) { return d.w.Write(b) }

func (d *duplex) Close() error {
	_ = d.w.Close()
	return d.PipeReader.Close()
}

func newScriptedAgent(in io.Reader, out io.Writer, script string) *scriptedAgent {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<20)
	return &scriptedAgent{in: s, out: out, script: strings.Split(strings.TrimSpace(script), "\n"), id: 100}
}

// run runs the script. It returns early if the client disconnects.
func (a *scriptedAgent) run() {
	meta := "null"
	if first, ok := strings.CutPrefix(a.script[0], "meta "); ok {
		meta, a.script = first, a.script[1:]
	}
	a.respond("initialize", `{"protocolVersion":1,"agentInfo":{"name":"scripted","version":"1"},"agentCapabilities":{"promptCapabilities":{"embeddedContext":true}},"authMethods":[],"_meta":`+meta+`}`)
	opened := `{"sessionId":"s1"}`
	if first, ok := strings.CutPrefix(a.script[0], "session "); ok {
		opened, a.script = first, a.script[1:]
	}
	var prompt incoming
	if history, ok := strings.CutPrefix(a.script[0], "attached "); ok {
		a.respond("session/attach", history)
	} else if a.respond("session/new", opened); a.script[0] != "unprompted" {
		prompt = a.await("session/prompt")
	}
	for _, line := range a.script {
		verb, arg, _ := strings.Cut(line, " ")
		switch verb {
		case "update":
			a.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":%s}}`, arg)
		case "prompt":
			prompt = a.await("session/prompt")
			a.handle(prompt)
		case "respond":
			method, result, _ := strings.Cut(arg, " ")
			m := a.await(method)
			a.handle(m)
			a.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
		case "refuse":
			method, failure, _ := strings.Cut(arg, " ")
			m := a.await(method)
			a.write(`{"jsonrpc":"2.0","id":%s,"error":%s}`, m.ID, failure)
		case "permission":
			a.request("session/request_permission", arg)
			a.record(a.await(""))
		case "question":
			a.request("elicitation/create", arg)
			a.record(a.await(""))
		case "ask":
			a.request("session/request_permission", arg)
		case "answer":
			a.record(a.await(""))
		case "withdraw":
			a.write(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%d}}`, a.id)
		case "cancel":
			a.record(a.await("session/cancel"))
		case "stop":
			a.write(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":%q}}`, prompt.ID, arg)
		case "fail":
			a.write(`{"jsonrpc":"2.0","id":%s,"error":%s}`, prompt.ID, arg)
		case "raw":
			a.write("%s", arg)
		case "hang":
			for a.in.Scan() {
			}
		}
	}
	for a.in.Scan() {
	}
}

type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// await reads up to a message with the given method, or a response if it is "".
func (a *scriptedAgent) await(method string) incoming {
	for a.in.Scan() {
		var m incoming
		if json.Unmarshal(a.in.Bytes(), &m) != nil {
			continue
		}
		if m.Method == method {
			return m
		}
	}
	return incoming{}
}

func (a *scriptedAgent) respond(method, result string) {
	m := a.await(method)
	if method == "initialize" {
		a.initialize = string(m.Params)
	}
	a.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

func (a *scriptedAgent) request(method, params string) {
	a.id++
	a.write(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, a.id, method, params)
}

func (a *scriptedAgent) write(format string, args ...any) {
	_, _ = fmt.Fprintf(a.out, format+"\n", args...)
}

// handle records a request with its params.
func (a *scriptedAgent) handle(m incoming) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, m.Method+" "+string(m.Params))
}

func (a *scriptedAgent) record(m incoming) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case m.Method != "":
		a.seen = append(a.seen, m.Method)
	case m.Error != nil:
		a.seen = append(a.seen, "error "+string(m.Error))
	default:
		a.seen = append(a.seen, string(m.Result))
	}
}

// answers returns the client's responses, one per line.
func (a *scriptedAgent) answers() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.seen) == 0 {
		return ""
	}
	return strings.Join(a.seen, "\n") + "\n"
}
