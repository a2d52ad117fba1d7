package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// agentText decodes AgentTextDelta: its text is "text" in Glue's own JSON, and
// "delta" in the class. What the rows of a file hold of a sub-agent is a whole
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

// rowUserMessage begins a turn. The user knows the text; it is telemetry.
func rowUserMessage(c *conversation, l *dialect.Line) {
	c.begin(l, l.Key("turnId", "turn_id"), "", "")
	telemetry(c, l)
}

// rowText decodes a message of a file, which is whole: two of them are two
// messages.
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

// sessionUserMessage begins a turn unless it has begun. The bytes of attachments
// go no further.
func sessionUserMessage(c *conversation, l *dialect.Line) {
	text := rawjson.AppendString([]byte(`{"text":`), l.String("text"))
	c.enter(l, l.Key("turnId", "turn_id"), "", "")
	c.emit(l, &agent.Telemetry{Name: l.Name, Data: append(text, '}')})
}

// chunk decodes a piece of what the model says. A piece of arguments names no
// call, and the call repeats it when it starts.
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

// wholeMessage repeats the chunks of a message, and brings what they did not.
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

// thinkingCompleted shows the summary where the thoughts themselves were not
// shown. The usage is part of the message's.
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
