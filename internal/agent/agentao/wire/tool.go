package wire

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

func (s *state) toolStart(l *dialect.Line) {
	if wire, name := l.Key("call_id"), l.Key("tool"); l.OK() {
		s.start(l, wire, name, l.Raw("args")).reported = true
	}
}

// start starts a call.
func (s *state) start(l *dialect.Line, wire, name string, args agent.Raw) *call {
	helper, tool := labelOf(name)
	c := &call{wire: wire, tool: tool, nested: helper != "", parent: s.parent(helper)}
	asked, known := s.claim(wire, helper, tool, args)
	if known {
		c.id = asked.id
		if args == nil {
			args = asked.args // in a replay, only the question has the arguments
		}
	} else {
		c.id = s.fresh(wire)
	}
	if tool == "todo_write" {
		c.plan = todos(args)
		c.hidden = c.plan != nil && !known
	}
	if c.hidden {
		c.args = bytes.Clone(args) // the call outlives the line
	} else {
		show(l, c, args)
	}
	return s.calls.add(c)
}

func show(l *dialect.Line, c *call, args agent.Raw) {
	l.EmitStart(agent.ToolStart{ToolCallID: c.id, ToolName: c.tool, Args: args, ParentToolCallID: c.parent, View: view(c.tool, args)})
}

func (s *state) toolOutput(l *dialect.Line) {
	_, tool := labelOf(l.Key("tool"))
	id := l.Key("call_id")
	if c := s.calls.find(id, tool, running); c != nil {
		id = c.id
	}
	text := l.Shown("chunk")
	if l.IsString("chunk") {
		text = l.Piece("chunk")
	}
	if !text.IsZero() && id != "" {
		l.EmitOutput(agent.ToolOutput{ToolCallID: id, Text: text})
	}
}

func (s *state) toolComplete(l *dialect.Line) {
	wire, o := l.Key("call_id"), outcomeOf(l)
	_, tool := labelOf(l.Key("tool"))
	if !l.OK() {
		return
	}
	c := s.calls.find(wire, tool, running)
	if c == nil {
		c = s.unstarted(wire, tool)
	}
	c.reported, c.ms = true, o.ms
	if o.good() && !c.nested {
		s.calls.to(c, pending)
		return
	}
	s.end(l, c, o, false)
}

// toolResult decodes the result of a call. The call may have ended, may be
// pending, or may still run if its end is missing.
func (s *state) toolResult(l *dialect.Line) {
	wire, o := l.Key("call_id"), outcomeOf(l)
	_, tool := labelOf(l.Key("tool"))
	if !l.OK() {
		return
	}
	c := s.calls.find(wire, tool, pending, running, ended, answered)
	switch {
	case c == nil:
		c = s.unstarted(wire, tool)
	case c.stage == answered:
		return // a repetition
	}
	if o.ms == 0 {
		o.ms = c.ms
	}
	s.end(l, c, o, true)
}

// unstarted adds a call that ends without a start.
func (s *state) unstarted(wire, tool string) *call {
	return s.calls.add(&call{wire: wire, id: s.fresh(wire), tool: tool, unstarted: true})
}

// fresh returns a unique id for a call with the id wire, which may be empty.
func (s *state) fresh(wire string) string {
	if wire == "" {
		wire = s.next("call")
	}
	return s.calls.unique(wire)
}

// endPending ends calls whose result will not arrive, because the model sends
// output again or the turn is over.
func (s *state) endPending(l *dialect.Line) {
	if s.calls.pending == 0 {
		return
	}
	for _, c := range s.calls.list {
		if c.stage == pending {
			s.end(l, c, outcome{ms: c.ms}, false)
		}
	}
}
