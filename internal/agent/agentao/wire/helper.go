package wire

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// maxHelpers limits the helper agents of a turn that are remembered.
const maxHelpers = 1 << 8

// A helper is a helper agent of the turn. Events identify it only by its name, so
// if two have the same name, the first one is assumed to end first.
type helper struct {
	id   string
	name string // from agent_start
	task string // id from a subagent_lifecycle about the same helper agent
	done bool
}

// addHelper adds a helper agent. If there are too many, it drops the oldest.
func (s *state) addHelper(name, task string) *helper {
	if len(s.helpers) >= maxHelpers {
		s.helpers = s.helpers[1:]
	}
	h := &helper{id: s.next("subagent"), name: name, task: task}
	s.helpers = append(s.helpers, h)
	return h
}

func (s *state) findHelper(is func(h *helper) bool) *helper {
	for _, h := range s.helpers {
		if is(h) {
			return h
		}
	}
	return nil
}

// runningHelper returns the running helper agent with this name, or nil.
func (s *state) runningHelper(name string) *helper {
	return s.findHelper(func(h *helper) bool { return !h.done && h.name == name })
}

// parent returns the id of the helper agent that a call is labelled with, or "".
func (s *state) parent(name string) string {
	if name == "" {
		return ""
	}
	if h := s.runningHelper(name); h != nil {
		return h.id
	}
	return ""
}

// labelOf splits a name such as "[helper 3/100] read_file" or "[helper]
// read_file". Agentao labels the calls of helper agents in this way.
func labelOf(name string) (helper, tool string) {
	label, tool, ok := strings.Cut(name, "] ")
	if !ok || tool == "" || !strings.HasPrefix(label, "[") {
		return "", name
	}
	label = label[1:]
	if i := strings.LastIndexByte(label, ' '); i > 0 && strings.Trim(label[i+1:], "0123456789/") == "" {
		label = label[:i]
	}
	return label, tool
}

func (s *state) agentStart(l *dialect.Line) {
	name, task := l.Key("agent"), l.String("task")
	if !l.OK() {
		return
	}
	if h := s.runningHelper(""); h != nil {
		h.name = name // subagent_lifecycle has announced it
		return
	}
	h := s.addHelper(name, "")
	l.Emit(&agent.SubagentStart{ID: h.id, Name: name, Task: task, ParentToolCallID: s.caller(name)})
}

// caller returns the id of the call that started a helper agent, or "".
func (s *state) caller(name string) string {
	tool := helperTool + strings.ReplaceAll(name, "-", "_")
	for _, c := range s.calls.list {
		if c.stage == running && c.tool == tool && !c.helper {
			c.helper = true
			return c.id
		}
	}
	return ""
}

func (s *state) agentEnd(l *dialect.Line) {
	name, outcome, failure := l.Key("agent"), l.Key("state"), l.String("error")
	e := &agent.SubagentEnd{
		Name:       name,
		OK:         outcome == "completed" && failure == "",
		Error:      failure,
		DurationMS: max(l.Float("duration_ms"), 0),
		Result: fmt.Sprintf("%s (turns: %d, tool calls: %d, tokens: about %d)",
			first(outcome, "ended"), l.Int("turns"), l.Int("tool_calls"), l.Int("tokens")),
	}
	if !l.OK() {
		return
	}
	h := s.runningHelper(name)
	if h == nil {
		h = s.addHelper(name, "")
	}
	h.done, e.ID = true, h.id
	l.Emit(e)
}
