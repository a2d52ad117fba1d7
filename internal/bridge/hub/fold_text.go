package hub

import (
	"bytes"
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// chunks are the kinds of updates whose texts are joined.
var chunks = map[string]bool{"agent_message_chunk": true, "agent_thought_chunk": true}

// A textRun is a series of adjacent chunks of one text.
type textRun struct {
	first   *change
	message []byte // its messageId, as JSON; may be nil
	text    rawjson.String
	several bool
	until   int64 // the time of its last chunk
}

// addChunk adds a chunk to the run, or starts another run.
func (f *folder) addChunk(c *change) {
	message, text, ok := c.plainText()
	if !ok {
		f.append(*c)
		return
	}
	r := &f.text
	if r.first != nil && r.first.kind == c.kind && string(r.message) == string(message) && r.first.author == c.author &&
		r.first.aware == c.aware && len(r.text)+len(text) <= maxText {
		if !r.several {
			r.text = append(make(rawjson.String, 0, 2*(len(r.text)+len(text))), r.text...)
		}
		r.text, r.several, r.until = append(r.text, text...), true, c.times.Until
		return
	}
	f.endText()
	*r = textRun{first: c, message: message, text: text}
}

// endText appends the run as one change.
func (f *folder) endText() {
	r := f.text
	if r.first == nil {
		return
	}
	f.text = textRun{}
	c := *r.first
	if r.several {
		c = joined(c, r)
	}
	f.out = append(f.out, c)
}

// joined returns a change with the text of a run.
func joined(c change, r textRun) change {
	head, tail := c.line[:c.textFrom], c.line[c.textTo:]
	if c.textTo == 0 {
		head = append(append(bytes.Clone(c.line[:c.from]), `{"sessionUpdate":"`...), c.kind...)
		head = append(head, `","content":{"type":"text","text":"`...)
		tail = []byte(`"}`)
		if r.message != nil {
			tail = append(append(tail, `,"messageId":`...), r.message...)
		}
		tail = append(append(tail, '}'), c.line[c.to:]...)
	}
	line := slices.Concat(head, r.text, tail)
	c.to = len(line) - len(c.line[c.to:])
	c.line, c.textFrom, c.textTo, c.times.Until = line, len(head), len(head)+len(r.text), r.until
	return c
}

// plainText returns the message id and the text of a chunk. ok is false if the chunk
// contains anything else.
func (c *change) plainText() (message []byte, text rawjson.String, ok bool) {
	if c.textTo == 0 {
		return plainText(c.update())
	}
	message, _, _ = rawmsg.Member(c.update(), "messageId")
	return message, rawjson.String(c.line[c.textFrom:c.textTo]), true
}

// plainText is like the method of change, for an update whose text is not known yet.
func plainText(update []byte) (message []byte, text rawjson.String, ok bool) {
	o := rawjson.Walk(update)
	for {
		key, value, more := o.Next()
		if !more {
			return message, text, ok
		}
		switch string(key) {
		case "sessionUpdate":
		case "messageId":
			message = value
		case "content":
			if text, ok = onlyText(value); !ok {
				return nil, nil, false
			}
		default:
			return nil, nil, false
		}
	}
}

// onlyText returns the text of a content block. ok is false if the block contains
// anything else.
func onlyText(block []byte) (text rawjson.String, ok bool) {
	if len(block) == 0 || block[0] != '{' {
		return nil, false
	}
	o := rawjson.Walk(block)
	for {
		key, value, more := o.Next()
		if !more {
			return text, ok
		}
		switch string(key) {
		case "type":
			if rawmsg.Text(value) != "text" {
				return nil, false
			}
		case "text":
			s, err := rawjson.Parse(value)
			if err != nil {
				return nil, false
			}
			text, ok = s, true
		default:
			return nil, false
		}
	}
}
