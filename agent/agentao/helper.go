package agentao

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// maxHelpers bounds the helper agents of a turn that are remembered.
const maxHelpers = 1 << 8

// A helper is a helper agent of the turn. Events about it have only its name,
// so of two with one name the first ends first.
type helper struct {
	id   string
	name string // as agent_start gives it
	task string // the id of a subagent_lifecycle that tells of the same
	over bool
}

func (d *decoder) addHelper(h *helper) {
	if len(d.helpers) >= maxHelpers {
		d.helpers = d.helpers[1:]
	}
	d.helpers = append(d.helpers, h)
}

func (d *decoder) findHelper(is func(h *helper) bool) *helper {
	for _, h := range d.helpers {
		if is(h) {
			return h
		}
	}
	return nil
}

// parent is the id of the helper agent that a call is labelled with.
func (d *decoder) parent(name string) string {
	if name == "" {
		return ""
	}
	if h := d.findHelper(func(h *helper) bool { return !h.over && h.name == name }); h != nil {
		return h.id
	}
	return ""
}

type helperEvent struct {
	Agent     string  `json:"agent"`
	Task      string  `json:"task"`
	State     string  `json:"state"`
	Turns     int64   `json:"turns"`
	ToolCalls int64   `json:"tool_calls"`
	Tokens    int64   `json:"tokens"`
	MS        float64 `json:"duration_ms"`
	Error     string  `json:"error"`
}

func (d *decoder) agentStart(_ string, data []byte) error {
	var e helperEvent
	if err := read(data, &e); err != nil {
		return err
	}
	if h := d.findHelper(func(h *helper) bool { return !h.over && h.name == "" }); h != nil {
		h.name = e.Agent // subagent_lifecycle has told of it
		return nil
	}
	h := &helper{id: d.next("subagent"), name: e.Agent}
	d.addHelper(h)
	d.emit(&agent.SubagentStart{ID: h.id, Name: e.Agent, Task: e.Task, ParentToolCallID: d.caller(e.Agent)})
	return nil
}

// caller is the id of the call that has started a helper agent.
func (d *decoder) caller(name string) string {
	tool := helperTool + strings.ReplaceAll(name, "-", "_")
	for _, c := range d.calls.list {
		if c.stage == running && c.tool == tool && !c.helper {
			c.helper = true
			return c.id
		}
	}
	return ""
}

func (d *decoder) agentEnd(_ string, data []byte) error {
	var e helperEvent
	if err := read(data, &e); err != nil {
		return err
	}
	h := d.findHelper(func(h *helper) bool { return !h.over && h.name == e.Agent })
	if h == nil {
		h = &helper{id: d.next("subagent"), name: e.Agent}
		d.addHelper(h)
	}
	h.over = true
	d.emit(&agent.SubagentEnd{
		ID: h.id, Name: e.Agent,
		OK:         e.State == "completed" && e.Error == "",
		Result:     fmt.Sprintf("%s (turns: %d, tool calls: %d, tokens: about %d)", state(e.State), e.Turns, e.ToolCalls, e.Tokens),
		Error:      e.Error,
		DurationMS: max(e.MS, 0),
	})
	return nil
}

func state(s string) string {
	if s == "" {
		return "ended"
	}
	return s
}
