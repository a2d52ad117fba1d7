package wire

import (
	"bytes"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// hot decodes the frequent types. It returns nil for any other type and for
// any line that it does not know by heart: a member that it does not expect, a
// value of another kind. Those take the slow way, which also finds the errors.
func (d *decoder) hot(line []byte) agent.Event {
	switch {
	case d.text.like(line):
		d.text.now.Text = d.text.body
		return &d.text.now
	case d.thinking.like(line):
		d.thinking.now.Thinking = d.thinking.body
		return &d.thinking.now
	case d.output.like(line):
		d.output.now.Text = d.output.body
		return &d.output.now
	}
	o := rawjson.Walk(line)
	key, value, ok := o.Next()
	if !ok || string(key) != "type" {
		return nil
	}
	switch string(value) {
	case `"text_delta"`:
		d.text.now = agent.TextDelta{}
		if walk(&o, d, textMember) {
			return d.text.learn(line, d.from, d.to)
		}
	case `"thinking_delta"`:
		d.thinking.now = agent.ThinkingDelta{}
		if walk(&o, d, thinkingMember) {
			return d.thinking.learn(line, d.from, d.to)
		}
	case `"tool_output"`:
		d.output.now = agent.ToolOutput{}
		if walk(&o, d, outputMember) {
			return d.output.learn(line, d.from, d.to)
		}
	case `"tool_start"`:
		d.start = agent.ToolStart{}
		if walk(&o, d, startMember) {
			return &d.start
		}
	case `"tool_progress"`:
		d.progress = agent.ToolProgress{}
		if walk(&o, d, progressMember) {
			return &d.progress
		}
	case `"tool_end"`:
		d.end = agent.ToolEnd{}
		if walk(&o, d, endMember) {
			return &d.end
		}
	}
	return nil
}

// Join implements [dialect.Joiner] for the types that come in pieces.
func (d *decoder) Join(lines []byte) (agent.Event, []byte) {
	if rest := d.text.run(lines); len(rest) < len(lines) {
		d.text.now.Text, d.text.now.Ends = d.text.pieces.Text, d.text.pieces.Ends
		return &d.text.now, rest
	}
	if rest := d.thinking.run(lines); len(rest) < len(lines) {
		d.thinking.now.Thinking, d.thinking.now.Ends = d.thinking.pieces.Text, d.thinking.pieces.Ends
		return &d.thinking.now, rest
	}
	if rest := d.output.run(lines); len(rest) < len(lines) {
		d.output.now.Text = d.output.pieces.Text
		return &d.output.now, rest
	}
	return nil, lines
}

// walk gives every member that is left to take, until that refuses one.
func walk(o *rawjson.Object, d *decoder, take func(d *decoder, key, value []byte) bool) bool {
	d.from, d.to = 0, 0
	for {
		key, value, ok := o.Next()
		if !ok {
			return o.Err() == nil
		}
		if keepsHalves(key) {
			d.from, d.to = o.Span()
		} else if o.Lone() {
			value = rawjson.CleanValue(value)
		}
		if !take(d, key, value) {
			return false
		}
	}
}

// keepsHalves tells whether a member is a piece of a longer text, whose halves
// of a character the tracker puts together.
func keepsHalves(key []byte) bool {
	return string(key) == "text" || string(key) == "thinking"
}

func textMember(d *decoder, key, value []byte) bool {
	switch string(key) {
	case "text":
		return text(&d.text.now.Text, value)
	case "messageId":
		return d.name(&d.text.now.MessageID, value)
	case "turnId":
		return d.name(&d.text.now.TurnID, value)
	}
	return false
}

func thinkingMember(d *decoder, key, value []byte) bool {
	switch string(key) {
	case "thinking":
		return text(&d.thinking.now.Thinking, value)
	case "messageId":
		return d.name(&d.thinking.now.MessageID, value)
	case "turnId":
		return d.name(&d.thinking.now.TurnID, value)
	}
	return false
}

func outputMember(d *decoder, key, value []byte) bool {
	switch string(key) {
	case "toolCallId":
		return d.name(&d.output.now.ToolCallID, value)
	case "text":
		return text(&d.output.now.Text, value)
	case "stream":
		return d.name(&d.output.now.Stream, value)
	case "turnId":
		return d.name(&d.output.now.TurnID, value)
	}
	return false
}

func startMember(d *decoder, key, value []byte) bool {
	e := &d.start
	switch string(key) {
	case "toolCallId":
		return d.name(&e.ToolCallID, value)
	case "toolName":
		return d.name(&e.ToolName, value)
	case "args":
		e.Args = value
		return true
	case "audience":
		return d.audience(&e.Audience, value)
	case "turnId":
		return d.name(&e.TurnID, value)
	}
	return false
}

func progressMember(d *decoder, key, value []byte) bool {
	e := &d.progress
	switch string(key) {
	case "toolCallId":
		return d.name(&e.ToolCallID, value)
	case "toolName":
		return d.name(&e.ToolName, value)
	case "message":
		return d.fresh(&e.Message, value)
	case "percent":
		v, ok := number(value)
		d.percent, e.Percent = v, &d.percent
		return ok
	case "audience":
		return d.audience(&e.Audience, value)
	case "turnId":
		return d.name(&e.TurnID, value)
	}
	return false
}

func endMember(d *decoder, key, value []byte) bool {
	e := &d.end
	switch string(key) {
	case "toolCallId":
		return d.name(&e.ToolCallID, value)
	case "toolName":
		return d.name(&e.ToolName, value)
	case "ok":
		e.OK = string(value) == "true"
		return e.OK || string(value) == "false"
	case "durationMs":
		v, ok := number(value)
		e.DurationMS = v
		return ok
	case "audience":
		return d.audience(&e.Audience, value)
	case "result":
		return text(&e.Result, value)
	case "error":
		return d.fresh(&e.Error, value)
	case "turnId":
		return d.name(&e.TurnID, value)
	}
	return false
}

// text takes the body of a string token that the walk has found to be valid.
func text(to *rawjson.String, value []byte) bool {
	if value[0] != '"' {
		return false
	}
	*to = rawjson.String(value[1 : len(value)-1])
	return true
}

// name takes a string that comes often.
func (d *decoder) name(to *string, value []byte) bool {
	if value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 {
		return false
	}
	*to = d.names.get(value[1 : len(value)-1])
	return true
}

// fresh takes a string that comes once.
func (d *decoder) fresh(to *string, value []byte) bool {
	if value[0] != '"' {
		return false
	}
	*to = rawjson.String(value[1 : len(value)-1]).String()
	return true
}

func (d *decoder) audience(to *agent.Audience, value []byte) bool {
	return d.name((*string)(to), value)
}

func number(value []byte) (float64, bool) {
	v, err := strconv.ParseFloat(string(value), 64)
	return v, err == nil
}
