package v1

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// plainChunk parses a message chunk that contains only text, as nearly all updates do,
// without reflection. It returns nil for other updates.
func plainChunk(update []byte) *MessageChunk {
	c := new(MessageChunk)
	var seen [3]bool
	o := rawjson.Walk(update)
	for {
		key, value, more := o.Next()
		if !more {
			break
		}
		member := 0
		switch string(key) {
		case "sessionUpdate":
			c.Kind = chunkKind(value)
		case "content":
			member, c.Content = 1, plainText(value)
		case "messageId":
			id, ok := quickString[string](value)
			if !ok {
				return nil
			}
			member, c.MessageID = 2, id
		default:
			return nil
		}
		if seen[member] {
			return nil
		}
		seen[member] = true
	}
	if o.Err() != nil || c.Kind == "" || c.Content == nil {
		return nil
	}
	return c
}

// chunkKind returns the chunk kind in a JSON value, or "".
func chunkKind(value []byte) ChunkKind {
	for _, kind := range []ChunkKind{AgentMessage, AgentThought, UserMessage} {
		if len(value) == len(kind)+2 && string(value[1:len(value)-1]) == string(kind) {
			return kind
		}
	}
	return ""
}

// plainText returns a block that contains only text, or nil.
func plainText(block []byte) Block {
	if len(block) == 0 || block[0] != '{' {
		return nil
	}
	var typed bool
	var text rawjson.String
	o := rawjson.Walk(block)
	for {
		key, value, more := o.Next()
		if !more {
			break
		}
		switch {
		case string(key) == "type" && !typed:
			typed = string(value) == `"text"`
			if !typed {
				return nil
			}
		case string(key) == "text" && text == nil:
			s, err := rawjson.Parse(value)
			if err != nil {
				return nil
			}
			text = s
		default:
			return nil
		}
	}
	if o.Err() != nil || !typed || text == nil {
		return nil
	}
	return &TextBlock{Text: rawjson.Wrap(bytes.Clone(text))}
}
