package control

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/claude/wire"
)

// maxRequests limits the requests that a host remembers. The oldest are forgotten.
const maxRequests = 64

// A request asks for a permission.
type request struct {
	id, call string
	tool     string
	input    agent.Raw
	rules    map[string][]agent.Raw // changes of the permission rules, by the option that makes them
	partial  bool                   // the user may accept a part of the change
}

var (
	allow  = agent.ConfirmationOption{ID: "allow", Name: "Allow once", Kind: agent.AllowOnce}
	reject = agent.ConfirmationOption{ID: "reject", Name: "Reject", Kind: agent.RejectOnce}
)

// request decodes a request. Only permissions are supported.
func (h *Host) request(_ *wire.State, l *dialect.Line) {
	q := l.Object("request")
	if q.Key("subtype") != "can_use_tool" {
		l.Emit(refused(l, "Turnwire does not support this request"))
		return
	}
	name := q.Key("tool_name")
	r := request{id: l.String("request_id"), call: q.Key("tool_use_id"), tool: name, input: bytes.Clone(q.Raw("input")), rules: make(map[string][]agent.Raw)}
	if _, ok := writeOf(name, r.input); ok {
		r.partial = h.Partial
	}
	e := &agent.ConfirmationRequested{
		ConfirmationID: r.id, ToolCallID: r.call, ToolName: name, Args: r.input,
		Reason: q.String("decision_reason"), View: wire.View(name, r.input), Options: []agent.ConfirmationOption{allow}, Partial: r.partial,
	}
	var all []agent.Raw
	offer := func(id, name string, rules ...agent.Raw) {
		e.Options = append(e.Options, agent.ConfirmationOption{ID: id, Name: name, Kind: agent.AllowAlways})
		r.rules[id] = rules
	}
	suggest := func(rule agent.Raw, name string) {
		if name != "" {
			offer(strconv.Itoa(len(all)), name, rule)
			all = append(all, rule)
		}
	}
	if name == "ExitPlanMode" { // as Claude Code's terminal does
		suggest(agent.Raw(`{"type":"setMode","mode":"acceptEdits","destination":"session"}`), "Allow, and accept all edits in this session")
		if plan := q.Object("input").OptionalKey("plan"); plan != "" {
			l.Emit(&agent.Plan{PlanID: "proposal", Markdown: plan})
		}
	}
	for s := range q.Objects("permission_suggestions") {
		suggest(bytes.Clone(s.JSON()), effect(s))
	}
	if len(all) > 1 { // it may take all of them for the same call to be permitted again
		offer("all", "All of these, so that it is not asked again", all...)
	}
	e.Options = append(e.Options, reject)
	if l.OK() {
		h.mu.Lock()
		h.requests = slices.DeleteFunc(h.requests, func(old request) bool { return old.id == r.id })
		h.requests = append(h.requests[max(len(h.requests)+1-maxRequests, 0):], r)
		h.mu.Unlock()
	}
	l.Emit(e)
}

// effect says what a suggestion permits, or "" if it permits nothing.
func effect(s *dialect.Fields) string {
	where := map[string]string{"session": " in this session", "userSettings": " in all projects"}[s.Key("destination")]
	if where == "" {
		where = " in this project"
	}
	switch kind := s.Key("type"); {
	case kind == "setMode" && s.Key("mode") == "acceptEdits":
		return "Allow, and accept all edits" + where
	case kind == "setMode":
		return "Allow, and use the mode " + s.String("mode") + where
	case kind == "addDirectories":
		return "Always allow access to " + strings.Trim(s.Shown("directories").String(), "[]") + where
	case kind == "addRules" && s.Key("behavior") == "allow":
		var rules []string
		for rule := range s.Objects("rules") {
			text := rule.String("toolName")
			if content := rule.String("ruleContent"); content != "" {
				text += "(" + content + ")"
			}
			rules = append(rules, text)
		}
		return "Always allow " + strings.Join(rules, ", ") + where
	}
	return ""
}

// refused refuses a request that can't be decoded.
func refused(l *dialect.Line, reason string) agent.Event {
	return &agent.ConfirmationRequested{ConfirmationID: l.Top.OptionalKey("request_id"), Refusal: reason}
}

// withdraw decodes that Claude Code no longer waits for an answer.
func (h *Host) withdraw(_ *wire.State, l *dialect.Line) {
	if r := h.find(l.String("request_id")); r.id != "" {
		l.Emit(&agent.ConfirmationResolved{ConfirmationID: r.id, ToolCallID: r.call, Decision: agent.NotDecided})
	}
}

// find returns the request with this id, or an empty one.
func (h *Host) find(id string) request {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := slices.IndexFunc(h.requests, func(r request) bool { return r.id == id }); at >= 0 {
		return h.requests[at]
	}
	return request{}
}
