package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// hot decodes the events that come by the thousand, pieces of text and of
// thoughts, without reflection and without copying the text. It knows such
// lines by heart: the type first, then the members that Glue writes. Any other
// line is left to the slow way, which gives the same for these too.
type hot struct {
	text     framed[agent.TextDelta]
	thinking framed[agent.ThinkingDelta]
}

// framed is an event whose lines differ in their text alone, but for what counts
// those of the session contract. The event is used again for each line.
type framed[E any] struct {
	frame rawjson.Frame
	chunk bool // the frame is of the session contract
	event E
}

// decode returns nil for a line that it does not know.
func (h *hot) decode(line []byte, c *conversation) agent.Event {
	if body, ok := h.text.frame.Match(line); ok {
		return h.textEvent(c, body)
	}
	if body, ok := h.thinking.frame.Match(line); ok {
		return h.thinkingEvent(c, body)
	}
	o := rawjson.Walk(line)
	key, value, ok := o.Next()
	if !ok || string(key) != "type" {
		return nil
	}
	switch string(value) {
	case `"assistant_message"`, `"AgentTextDelta"`:
		if body, ok := delta(&h.text.frame, &o, line); ok {
			h.text.chunk = false
			return h.textEvent(c, body)
		}
	case `"assistant_thinking"`, `"AgentThinkingDelta"`:
		if body, ok := delta(&h.thinking.frame, &o, line); ok {
			h.thinking.chunk = false
			return h.thinkingEvent(c, body)
		}
	case `"AssistantChunkEvent"`, `"AssistantChunk"`:
		return h.chunk(&o, c, line)
	}
	return nil
}

func (h *hot) textEvent(c *conversation, body rawjson.String) agent.Event {
	c.running = true
	if h.text.chunk {
		c.said.add(body)
	}
	h.text.event = agent.TextDelta{Text: body}
	return &h.text.event
}

func (h *hot) thinkingEvent(c *conversation, body rawjson.String) agent.Event {
	c.running = true
	c.thinks = c.thinks || h.thinking.chunk
	h.thinking.event = agent.ThinkingDelta{Thinking: body}
	return &h.thinking.event
}

// delta takes the one other member of a piece, and learns the line.
func delta(frame *rawjson.Frame, o *rawjson.Object, line []byte) (rawjson.String, bool) {
	key, value, ok := o.Next()
	if !ok || string(key) != "text" && string(key) != "delta" || value[0] != '"' {
		return nil, false
	}
	from, to := o.Span()
	if _, _, more := o.Next(); more || o.Err() != nil {
		return nil, false
	}
	frame.Learn(line, from, to)
	return rawjson.String(value[1 : len(value)-1]), true
}

// chunk takes an AssistantChunkEvent, whose number and time differ from line to
// line, and learns the line.
func (h *hot) chunk(o *rawjson.Object, c *conversation, line []byte) agent.Event {
	var from, to, counted int
	var counts [2]rawjson.Span // the time and the number
	thinking := false
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "turnId":
		case "timestamp", "sequence":
			if counted < len(counts) {
				counts[counted].From, counts[counted].To = o.Span()
				counted++
			}
		case "delta":
			if value[0] != '"' {
				return nil
			}
			from, to = o.Span()
		case "kind":
			thinking = string(value) == `"thinking"`
			if !thinking && string(value) != `"text"` {
				return nil
			}
		default:
			return nil
		}
	}
	if o.Err() != nil || to == 0 {
		return nil
	}
	if thinking {
		h.thinking.chunk = true
		h.thinking.frame.Learn(line, from, to, counts[:counted]...)
		return h.thinkingEvent(c, line[from+1:to-1])
	}
	h.text.chunk = true
	h.text.frame.Learn(line, from, to, counts[:counted]...)
	return h.textEvent(c, line[from+1:to-1])
}
