package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// bothMembers is the subject of findings about responses that have both a result and an
// error.
const bothMembers = "both"

// line checks the agent's next line.
func (a *acp) line(line []byte) {
	a.count++
	a.received++
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(bytes.TrimSpace(line)) == 0 {
		return
	}
	tell := func(f lint.Finding) {
		f.Line = a.count
		if f.Text == "" {
			f.Text = string(rawjson.Valid(line[:min(len(line), 600)]))
			f.CutAfter = len(line) > 600
		}
		a.Tell(f)
	}
	if f, bad := lint.NotUTF8(line); bad {
		tell(f)
		line = rawjson.Valid(line)
	}
	if inner, rule := lint.Unwrap(line); rule != "" {
		tell(lint.Wrapped(rule, line))
		line = inner
	}
	if a.misfit(line, tell) {
		return
	}
	m, err := rawmsg.Parse(line)
	if err != nil {
		if f, bad := a.framing.Check(line); bad && f.Rule != "no-type" {
			tell(f)
		} else if !a.framing.Open() && json.Valid(line) {
			tell(acpRule("acp-envelope", "", err.Error()))
		}
		return
	}
	a.framing.Event()
	switch {
	case string(m.Version) != `"2.0"`:
		tell(acpRule("acp-envelope", "jsonrpc", `the message has no "jsonrpc":"2.0"`))
	case m.Method == "" && m.Result == nil && m.Error == nil:
		tell(acpRule("acp-envelope", "", "the message has no method, result or error"))
	case m.Method == "" && m.Result != nil && m.Error != nil:
		tell(acpRule("acp-envelope", bothMembers, "the response has both a result and an error"))
	}
	if m.Method != "" {
		a.called(&m, tell)
		return
	}
	a.answered(&m, tell)
}

// misfit reports a line of a program that does not speak ACP, before the agent's first
// response. It reports whether there is nothing else to say about the line.
func (a *acp) misfit(line []byte, tell func(lint.Finding)) bool {
	if a.spoke {
		return false
	}
	if m, err := rawmsg.Parse(line); err == nil && m.Method == "initialize" {
		a.misused = true
		tell(lint.New(lint.Echo, "the program repeats its input"))
		return true
	}
	f, certain, ok := lint.NotACP(line)
	if ok {
		tell(f)
	}
	a.misused = a.misused || certain
	return ok
}

// has checks a value against a definition of the schema.
func (a *acp) has(definition, path string, raw json.RawMessage, tell func(lint.Finding)) map[string]any {
	of := a.shapes.Defs[definition]
	var v any
	if len(raw) == 0 || of == nil || exactjson.Unmarshal(raw, &v) != nil {
		v = map[string]any{}
	}
	if of != nil {
		for _, p := range a.shapes.fits(of, path, v) {
			rule := "acp-schema"
			if p.unknown {
				rule = "acp-unknown-value"
			}
			f := acpRule(rule, definition+p.path, p.message)
			f.Path = p.path
			tell(f)
		}
	}
	object, _ := v.(map[string]any)
	return object
}

// results maps the methods that the check calls to the definitions of their results.
var results = map[string]string{
	"initialize": "InitializeResponse", "session/new": "NewSessionResponse", "session/prompt": "PromptResponse",
}

func (a *acp) answered(m *rawmsg.Message, tell func(lint.Finding)) {
	var number int
	if string(m.ID) == "null" || m.ID == nil {
		var e struct {
			Code int `json:"code"`
		}
		if exactjson.Unmarshal(m.Error, &e) == nil && e.Code != 0 {
			a.parsed = true
			if e.Code != codeParse {
				tell(acpRule("acp-parse-error", "", fmt.Sprintf("an invalid JSON line was answered with the error %d, not %d", e.Code, codeParse)))
			}
		}
		return
	}
	if exactjson.Unmarshal(m.ID, &number) != nil || a.asked[number] == "" {
		tell(acpRule("acp-unasked-answer", "", fmt.Sprintf("there is no unanswered request with the id %.80s", m.ID)))
		return
	}
	method := a.asked[number]
	delete(a.asked, number)
	got := &answer{}
	if m.Error != nil {
		got.failed = new(struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		})
		a.has("Error", "$.error", m.Error, tell)
		_ = exactjson.Unmarshal(m.Error, got.failed) // errors were reported above
	} else {
		got.result = a.has(results[method], "$.result", m.Result, tell)
	}
	a.answers[number], a.spoke = got, true
	switch method {
	case "session/new":
		if id, ok := got.result["sessionId"].(string); ok {
			a.session(id)
		}
	case "session/prompt":
		for _, s := range a.sessions {
			s.prompting = false
		}
	}
}

func (a *acp) session(id string) *acpSession {
	s := a.sessions[id]
	if s == nil {
		s = &acpSession{calls: make(map[string]bool)}
		a.sessions[id] = s
	}
	return s
}

// called handles a request or notification from the agent.
func (a *acp) called(m *rawmsg.Message, tell func(lint.Finding)) {
	switch m.Method {
	case "session/update":
		a.update(a.has("SessionNotification", "$.params", m.Params, tell), tell)
	case "session/request_permission":
		a.permission(m, a.has("RequestPermissionRequest", "$.params", m.Params, tell), tell)
	case "$/cancel_request", "elicitation/complete":
	default:
		offer, _, _ := strings.Cut(m.Method, "/")
		switch {
		case strings.HasPrefix(m.Method, "_") || a.shapes.Defs == nil:
		case offer == "fs" || offer == "terminal" || m.Method == "elicitation/create":
			tell(notOffered(offer, fmt.Sprintf("the agent called %.80s, but the client doesn't offer %s", m.Method, offer)))
		default:
			tell(acpRule("acp-unknown-method", m.Method, fmt.Sprintf("unknown method %.80q in ACP version 1", m.Method)))
		}
		if m.ID != nil {
			a.write(map[string]any{"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": codeNoMethod, "message": "unknown method"}})
		}
	}
}

func (a *acp) update(params map[string]any, tell func(lint.Finding)) {
	id, _ := params["sessionId"].(string)
	s := a.sessions[id]
	if s == nil {
		tell(acpRule("acp-session-id", "", fmt.Sprintf("unknown session %.80q", id)))
		return
	}
	u, _ := params["update"].(map[string]any)
	kind, _ := u["sessionUpdate"].(string)
	switch kind {
	case "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan":
		if !s.prompting && s.prompted {
			tell(acpRule("acp-late-update", kind, kind+" came after the response to its prompt"))
		}
	}
	call, _ := u["toolCallId"].(string)
	switch kind {
	case "tool_call":
		s.calls[call] = ended(u)
	case "tool_call_update":
		if _, known := s.calls[call]; !known && s.prompting {
			tell(acpRule("acp-update-order", "", fmt.Sprintf("tool_call_update without tool_call: unknown call %.80q", call)))
		}
		s.calls[call] = s.calls[call] || ended(u)
	}
}

func ended(u map[string]any) bool { return u["status"] == "completed" || u["status"] == "failed" }

func (a *acp) permission(m *rawmsg.Message, params map[string]any, tell func(lint.Finding)) {
	a.requests++
	options, _ := params["options"].([]any)
	ids := make(map[any]bool)
	for _, o := range options {
		option, _ := o.(map[string]any)
		if ids[option["optionId"]] {
			tell(acpRule("acp-options", "", fmt.Sprintf("two options have the id %.80q", fmt.Sprint(option["optionId"]))))
		}
		ids[option["optionId"]] = true
	}
	if len(options) == 0 {
		tell(acpRule("acp-options", "", "the permission request has no options"))
	}
	session, _ := params["sessionId"].(string)
	if a.sessions[session] == nil {
		tell(acpRule("acp-session-id", "", fmt.Sprintf("unknown session %.80q", session)))
	}
	p := permission{id: m.ID, session: session, options: options}
	if call, ok := params["toolCall"].(map[string]any); ok && a.sessions[session] != nil {
		if id, _ := call["toolCallId"].(string); id != "" {
			if _, known := a.sessions[session].calls[id]; !known {
				a.sessions[session].calls[id] = true // a call may be announced by its permission request
			}
		}
	}
	if a.decision == "" {
		a.pending = append(a.pending, p)
		return
	}
	a.decide(p, a.decision)
}

// decide answers a permission request with the first option of a kind, or with cancelled
// if none is offered.
func (a *acp) decide(p permission, kind string) {
	outcome := map[string]any{"outcome": "cancelled"}
	for _, o := range p.options {
		if option, ok := o.(map[string]any); ok && option["kind"] == kind {
			outcome = map[string]any{"outcome": "selected", "optionId": option["optionId"]}
			break
		}
	}
	a.write(map[string]any{"jsonrpc": "2.0", "id": p.id, "result": map[string]any{"outcome": outcome}})
}
