package awaken

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A toolResult is a ToolResult (contract/tool.rs).
type toolResult struct {
	name     string
	status   string // success, pending, error; the older form also has warning
	message  string
	data     json.RawMessage // nil where there is none
	ticket   json.RawMessage
	metadata json.RawMessage
	rejected bool // by the permission rules
	timedOut bool
}

// toolResultOf reads a result. With an error it has what can be read of it.
func toolResultOf(raw json.RawMessage) (toolResult, error) {
	var f struct {
		ToolName   string          `json:"tool_name"`
		Status     string          `json:"status"`
		Message    string          `json:"message"`
		Data       json.RawMessage `json:"data"`
		Suspension json.RawMessage `json:"suspension"`
		Metadata   json.RawMessage `json:"metadata"`
	}
	var err error
	if present(raw) {
		err = exactjson.Unmarshal(raw, &f)
	}
	r := toolResult{name: f.ToolName, status: f.Status, message: f.Message, metadata: f.Metadata}
	if present(f.Data) {
		r.data = f.Data
	}
	if present(f.Suspension) {
		r.ticket = f.Suspension
	}
	var flags map[string]json.RawMessage
	if exactjson.Unmarshal(f.Metadata, &flags) == nil {
		r.rejected = string(flags["rejected"]) == "true"
		r.timedOut = string(flags["timed_out"]) == "true"
	}
	return r, err
}

func (r toolResult) suspends(outcome string) bool {
	return outcome == "suspended" || outcome == "" && r.status == "pending"
}

// end is the end of a call with this result.
func (r toolResult) end(outcome string) *agent.ToolEnd {
	if outcome == "failed" || outcome != "succeeded" && r.status == "error" {
		e := &agent.ToolEnd{Error: r.message, Cancelled: r.rejected}
		code, text := errorIn(r.data)
		switch {
		case e.Error == "" && text != "":
			e.Error = text
			if code != "" {
				e.Error = "[" + code + "] " + text
			}
		case text == "" && present(r.data):
			e.Structured = r.data
		}
		switch lower := strings.ToLower(e.Error); {
		case e.Error == "" && r.timedOut:
			e.Error = "the tool timed out"
		case e.Error == "" && e.Structured == nil:
			e.Error = "the tool failed without saying why"
		case r.timedOut && !strings.Contains(lower, "timed out") && !strings.Contains(lower, "timeout"):
			e.Error += " (timed out)"
		}
		return e
	}
	e := &agent.ToolEnd{OK: true}
	show(e, r.data)
	if r.message != "" {
		e.Result = rawjson.Quote(r.message)
		e.Structured = r.data // the message says what a person needs of it
	}
	return e
}

// errorIn is the error that data tells of: {"error":{"code","message"}}, or
// {"error":"…"}, which is what a resumed call has.
func errorIn(data json.RawMessage) (code, text string) {
	var f struct {
		Error json.RawMessage `json:"error"`
	}
	if exactjson.Unmarshal(data, &f) != nil || !present(f.Error) {
		return "", ""
	}
	if text = str(f.Error); text != "" {
		return "", text
	}
	var coded struct {
		Code    json.RawMessage `json:"code"`
		Message json.RawMessage `json:"message"`
	}
	if exactjson.Unmarshal(f.Error, &coded) != nil {
		return "", ""
	}
	return str(coded.Code), str(coded.Message)
}

// show puts what a tool returned into its end: text where it is one, and the
// data as it is where there is more to it.
func show(e *agent.ToolEnd, data json.RawMessage) {
	if !present(data) {
		return
	}
	if data[0] == '"' {
		e.Result = quotedText(data)
		return
	}
	e.Structured = data
	if printed, exit, ok := output(data); ok {
		e.Result, e.ExitCode = rawjson.Quote(printed), exit
		return
	}
	var compact bytes.Buffer
	if json.Compact(&compact, data) == nil {
		e.Result = rawjson.Quote(compact.String())
	}
}

// quotedText is a JSON string as text, without decoding it.
func quotedText(data json.RawMessage) rawjson.String {
	text, err := rawjson.Parse(data)
	if err != nil {
		return nil
	}
	return text.Clean()
}

// output is what a command printed, as tools that run one return it, or the
// text of an object that holds nothing else.
func output(data json.RawMessage) (text string, exit *int, ok bool) {
	var f map[string]json.RawMessage
	if exactjson.Unmarshal(data, &f) != nil {
		return "", nil, false
	}
	stdout, isOut := f["stdout"]
	stderr, isErr := f["stderr"]
	if isOut || isErr {
		text = str(stdout)
		if errors := str(stderr); errors != "" {
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			text += errors
		}
		for _, key := range []string{"exit_code", "exitCode", "code"} {
			var n int
			if present(f[key]) && exactjson.Unmarshal(f[key], &n) == nil {
				exit = &n
				break
			}
		}
		return text, exit, true
	}
	if len(f) == 1 {
		for _, only := range f {
			if text = str(only); text != "" {
				return text, nil, true
			}
		}
	}
	return "", nil, false
}

// textIn is a value as text.
func textIn(raw json.RawMessage) string {
	if !present(raw) {
		return ""
	}
	if s := str(raw); s != "" {
		return s
	}
	if text, _, ok := output(raw); ok {
		return text
	}
	return string(raw)
}

// resumedEnd is the end of a call that was resumed with a result: what the
// tool returned, {"error":"…"} where it failed, or the decision where that
// refused it or was all that it waited for.
func resumedEnd(raw json.RawMessage, refused bool) *agent.ToolEnd {
	if refused {
		return &agent.ToolEnd{Cancelled: true, Error: reasonIn(raw)}
	}
	if code, text := errorIn(raw); text != "" {
		if code != "" {
			text = "[" + code + "] " + text
		}
		return &agent.ToolEnd{Error: text}
	}
	e := &agent.ToolEnd{OK: true}
	if !isPermission(raw) {
		show(e, raw)
	}
	return e
}

// reasonIn is why a decision refused.
func reasonIn(raw json.RawMessage) string {
	var f struct {
		Reason json.RawMessage `json:"reason"`
	}
	if exactjson.Unmarshal(raw, &f) == nil {
		if reason := str(f.Reason); reason != "" {
			return reason
		}
	}
	return "it was refused"
}

func isPermission(raw json.RawMessage) bool {
	var f struct {
		Kind json.RawMessage `json:"kind"`
	}
	return exactjson.Unmarshal(raw, &f) == nil && str(f.Kind) == "permission_decision"
}

// decides tells whether a value is a decision about a permission.
func decides(raw json.RawMessage) bool {
	var f struct {
		Approved *bool `json:"approved"`
	}
	return string(raw) == "true" || string(raw) == "false" || exactjson.Unmarshal(raw, &f) == nil && f.Approved != nil
}

// refuses tells whether a word is one of those that refuse (suspension.rs).
func refuses(word string) bool {
	switch word {
	case "deny", "denied", "reject", "rejected", "cancel", "canceled", "cancelled", "abort", "aborted":
		return true
	}
	return false
}

// denies tells whether what a call was resumed with refuses it. A tool's own
// result never says "approved":false or the like about itself.
func denies(raw json.RawMessage) bool {
	if string(raw) == "false" {
		return true
	}
	var f map[string]json.RawMessage
	if exactjson.Unmarshal(raw, &f) != nil {
		return false
	}
	for key, value := range f {
		switch {
		case key == "approved" && string(value) == "false", refuses(key) && string(value) == "true":
			return true
		case (key == "status" || key == "decision" || key == "action") && refuses(strings.ToLower(str(value))):
			return true
		}
	}
	return false
}
