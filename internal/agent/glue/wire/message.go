package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// agentText decodes AgentTextDelta. Its text is "text" in Glue's own JSON, and
// "delta" in the class. In the rows of a file, a sub-agent's text is a whole
// message.
func agentText(c *conversation, l *dialect.Line) {
	if c.task != nil && c.task.whole {
		rowText(c, l)
		return
	}
	c.text(l, rawjson.Body(l.Piece("text", "delta")))
}

func agentThinking(c *conversation, l *dialect.Line) {
	if c.task != nil && c.task.whole {
		rowThinking(c, l)
		return
	}
	c.thinking(l, rawjson.Body(l.Piece("text", "delta")))
}

// rowUserMessage starts a turn. The user knows the text, so it becomes
// telemetry.
func rowUserMessage(c *conversation, l *dialect.Line) {
	c.begin(l, l.Key("turnId", "turn_id"), "", "")
	telemetry(c, l)
}

// rowText decodes a message in a file, which is always a whole message.
func rowText(c *conversation, l *dialect.Line) {
	if text := l.Text("text"); !text.IsZero() {
		c.emit(l, &agent.TextDelta{Text: text})
		c.emit(l, &agent.MessageEnd{})
	}
}

func rowThinking(c *conversation, l *dialect.Line) {
	if text := l.Text("text"); !text.IsZero() {
		c.emit(l, &agent.ThinkingDelta{Thinking: text})
		c.emit(l, &agent.MessageEnd{})
	}
}

// sessionUserMessage starts a turn, unless it is already running. It drops the
// bytes of attachments.
func sessionUserMessage(c *conversation, l *dialect.Line) {
	text := rawjson.AppendString([]byte(`{"text":`), l.String("text"))
	c.enter(l, l.Key("turnId", "turn_id"), "", "")
	c.emit(l, &agent.Telemetry{Name: l.Name, Data: append(text, '}')})
}

// chunk decodes a piece of the model's output. A piece of arguments is only
// telemetry: it names no call, and the call repeats it when it starts.
func chunk(c *conversation, l *dialect.Line) {
	delta := l.Piece("delta")
	switch l.Key("kind") {
	case "text", "":
		c.text(l, rawjson.Body(delta))
	case "thinking":
		c.thinks = true
		c.thinking(l, rawjson.Body(delta))
	default:
		telemetry(c, l)
	}
}

// wholeMessage emits the part of a whole message that its chunks did not
// contain.
func wholeMessage(c *conversation, l *dialect.Line) {
	usage := c.usage(l)
	rest, apart := c.streamed.rest(rawjson.Body(l.Text("text")))
	c.streamed.reset()
	if apart {
		c.emit(l, &agent.MessageEnd{})
	}
	if len(rest) > 0 {
		c.emit(l, &agent.TextDelta{Text: rawjson.Wrap(rest)})
	}
	c.emit(l, &agent.MessageEnd{})
	if usage != nil {
		c.emit(l, usage)
	}
}

func thinkingStarted(c *conversation, l *dialect.Line) {
	c.thinks = false
	c.emit(l, &agent.MessageStart{})
}

// thinkingCompleted shows the summary, unless the thoughts themselves were
// shown. The usage is included in the message's usage.
func thinkingCompleted(c *conversation, l *dialect.Line) {
	if summary := l.Text("summary"); !summary.IsZero() && !c.thinks {
		c.emit(l, &agent.ThinkingDelta{Thinking: summary})
	}
	c.thinks = false
	c.emit(l, &agent.MessageEnd{})
	if l.Has("usage") {
		telemetry(c, l)
	}
}
