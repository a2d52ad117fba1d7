package wire

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// hot decodes chunks of text without building values, because a stream contains
// thousands of them. It returns false for any other line, and for a chunk in an
// unusual form; those take the slow path.
func (d *decoder) hot(line []byte, yield func(agent.Event) bool) bool {
	if body, _, ok := d.message.frame.Match(line); ok {
		d.message.now = d.message.whole
		d.text(body, yield)
		return true
	}
	if body, _, ok := d.thought.frame.Match(line); ok {
		d.thought.now = d.thought.whole
		d.think(body, yield)
		return true
	}
	var c chunk
	if !c.find(line) {
		return false
	}
	body := rawjson.String(line[c.from+1 : c.to-1])
	switch v1.ChunkKind(c.kind) {
	case v1.AgentMessage:
		d.message.learn(line, c.from, c.to, agent.TextDelta{MessageID: d.names.get(c.message)})
		d.text(body, yield)
	case v1.AgentThought:
		d.thought.learn(line, c.from, c.to, agent.ThinkingDelta{MessageID: d.names.get(c.message)})
		d.think(body, yield)
	default:
		return false
	}
	return true
}

// text yields a piece of the message.
func (d *decoder) text(body rawjson.String, yield func(agent.Event) bool) {
	d.echo.add(body)
	d.message.now.Text = rawjson.Wrap(body)
	yield(&d.message.now)
}

// think yields a piece of the thoughts, unless it repeats the preceding
// message.
func (d *decoder) think(body rawjson.String, yield func(agent.Event) bool) {
	repeats := d.echo.repeatedBy(body)
	d.echo.reset()
	if repeats {
		return
	}
	d.thought.now.Thinking = rawjson.Wrap(body)
	yield(&d.thought.now)
}

// chunk is a chunk of text, as slices of its line.
type chunk struct {
	kind, message []byte
	from, to      int // range of the text, including the quotation marks
}

// find reports whether line is a notification with a chunk of text in which
// nothing but the text has to be decoded.
func (c *chunk) find(line []byte) bool {
	method := false
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return o.Err() == nil && method && c.to > 0
		}
		switch string(key) {
		case "jsonrpc":
		case "method":
			if method = string(value) == `"`+v1.MethodSessionUpdate+`"`; !method {
				return false
			}
		case "params":
			from, _ := o.Span()
			if !c.findParams(value, from) {
				return false
			}
		default:
			return false
		}
	}
}

// findParams parses the params, which start at offset at.
func (c *chunk) findParams(params []byte, at int) bool {
	if params[0] != '{' {
		return false
	}
	o := rawjson.Walk(params)
	for {
		key, value, ok := o.Next()
		if !ok {
			return o.Err() == nil
		}
		if string(key) != "update" {
			continue
		}
		from, _ := o.Span()
		if !c.findUpdate(value, at+from) {
			return false
		}
	}
}

func (c *chunk) findUpdate(update []byte, at int) bool {
	if update[0] != '{' {
		return false
	}
	o := rawjson.Walk(update)
	for {
		key, value, ok := o.Next()
		if !ok {
			return o.Err() == nil
		}
		switch string(key) {
		case "sessionUpdate":
			if !plain(&c.kind, value) {
				return false
			}
		case "messageId":
			if rawmsg.Present(value) != nil && !plain(&c.message, value) {
				return false
			}
		case "content":
			from, _ := o.Span()
			if !c.findText(value, at+from) {
				return false
			}
		}
	}
}

func (c *chunk) findText(content []byte, at int) bool {
	if content[0] != '{' {
		return false
	}
	isText := false
	o := rawjson.Walk(content)
	for {
		key, value, ok := o.Next()
		if !ok {
			return o.Err() == nil && isText
		}
		switch string(key) {
		case "type":
			isText = string(value) == `"text"`
		case "text":
			if value[0] != '"' {
				return false
			}
			from, to := o.Span()
			c.from, c.to = at+from, at+to
		}
	}
}

// plain stores a string without escapes in to. It returns false for any other
// value.
func plain(to *[]byte, value []byte) bool {
	if value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 {
		return false
	}
	*to = value[1 : len(value)-1]
	return true
}
