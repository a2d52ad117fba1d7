package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A toolResult is a ToolResult (contract/tool.rs).
type toolResult struct {
	name     string
	status   string // success, pending or error; the older form also has warning
	message  rawjson.String
	data     value
	ticket   value // of a suspended call
	metadata *dialect.Fields
}

func resultOf(l *dialect.Line) toolResult {
	f := l.Object("result")
	return toolResult{
		name:     f.Key("tool_name"),
		status:   f.Key("status"),
		message:  rawjson.Body(f.Text("message")),
		data:     valueOf(f, "data"),
		ticket:   valueOf(f, "suspension"),
		metadata: object(f, "metadata"),
	}
}

// end returns the end of a call with this result.
func (r toolResult) end(outcome string) agent.ToolEnd {
	if outcome == "failed" || outcome != "succeeded" && r.status == "error" {
		return r.failure()
	}
	if len(r.message) > 0 { // the message contains what the user needs from the data
		_, exit, _ := output(r.data)
		return agent.ToolEnd{OK: true, Result: rawjson.Wrap(r.message), Structured: r.data.raw, ExitCode: exit}
	}
	return success(r.data)
}

func (r toolResult) failure() agent.ToolEnd {
	timedOut := is(r.metadata, "timed_out", "true")
	e := agent.ToolEnd{Error: r.message.String(), Cancelled: is(r.metadata, "rejected", "true")}
	if text := errorIn(r.data); text == "" {
		e.Structured = r.data.raw
	} else if e.Error == "" {
		e.Error = text
	}
	switch lower := strings.ToLower(e.Error); {
	case e.Error == "" && timedOut:
		e.Error = "the tool timed out"
	case e.Error == "" && e.Structured == nil:
		e.Error = "the tool failed without a reason"
	case timedOut && !strings.Contains(lower, "timed out") && !strings.Contains(lower, "timeout"):
		e.Error += " (timed out)"
	}
	return e
}

// errorIn returns the error in data, or "": from {"error":{"code","message"}}, or from
// {"error":"…"}, as in the data of a resumed call.
func errorIn(data value) string {
	e := valueOf(data.Fields, "error")
	if text := e.text(); text != "" {
		return text
	}
	code, text := e.OptionalKey("code"), e.OptionalKey("message")
	if code != "" && text != "" {
		return "[" + code + "] " + text
	}
	return text
}

// success returns the end of a call that returned data. A string becomes the result.
// Other data is also shown as text, and kept as it is.
func success(data value) agent.ToolEnd {
	e := agent.ToolEnd{OK: true}
	switch {
	case data.raw == nil:
		return e
	case data.isString():
		e.Result = rawjson.Wrap(data.body())
		return e
	}
	e.Structured = data.raw
	if printed, exit, ok := output(data); ok {
		e.Result, e.ExitCode = rawjson.Wrap(printed), exit
		return e
	}
	var compact bytes.Buffer
	if json.Compact(&compact, data.raw) == nil {
		e.Result = agent.NewText(compact.String())
	}
	return e
}

// output returns a command's output, in the format of tools that run commands, or the
// text of an object with a single member.
func output(v value) (text rawjson.String, exit *int, ok bool) {
	if v.Fields == nil {
		return nil, nil, false
	}
	printed, errors := valueOf(v.Fields, "stdout"), valueOf(v.Fields, "stderr")
	if asWritten(v.Fields, "stdout") != nil || asWritten(v.Fields, "stderr") != nil {
		return joined(printed.body(), errors.body()), exitCode(v.Fields), true
	}
	members := 0
	for _, only := range v.All() {
		members++
		text = value{raw: only}.body()
	}
	return text, nil, members == 1 && len(text) > 0
}

// joined returns stdout and stderr of a command, each on separate lines.
func joined(out, errors rawjson.String) rawjson.String {
	switch {
	case len(errors) == 0:
		return out
	case len(out) == 0:
		return errors
	}
	text := out.String()
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return rawjson.Quote(text + errors.String())
}

// exitCode returns the first of these members that is a number, or nil.
func exitCode(f *dialect.Fields) *int {
	for _, key := range [...]string{"exit_code", "exitCode", "code"} {
		var n *int
		if raw := f.Raw(key); raw != nil && exactjson.Unmarshal(raw, &n) == nil {
			return n
		}
	}
	return nil
}
