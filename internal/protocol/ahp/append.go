package ahp

import (
	"encoding/json"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// An appender is an action whose text may be long, or that comes by the thousand. It encodes
// itself: encoding/json would check and escape the text again.
type appender interface {
	// appendMembers appends the members, each with a comma before it.
	appendMembers(dst []byte) []byte
}

func member(dst []byte, name string) []byte {
	return append(rawjson.AppendString(append(dst, ','), name), ':')
}

func stringMember(dst []byte, name, value string) []byte {
	return rawjson.AppendString(member(dst, name), value)
}

func textMember(dst []byte, name string, value rawjson.Text) []byte {
	return append(append(append(member(dst, name), '"'), rawjson.Body(value)...), '"')
}

// encoded returns v as JSON.
func encoded(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // can't happen: the package's types can always be encoded
	}
	return raw
}

func (d *Delta) appendMembers(dst []byte) []byte {
	return textMember(stringMember(stringMember(dst, "turnId", d.TurnID), "partId", d.PartID), "content", d.Content)
}

func (r *Reasoning) appendMembers(dst []byte) []byte { return (*Delta)(r).appendMembers(dst) }

func (c *ToolCallContentChanged) appendMembers(dst []byte) []byte {
	dst = stringMember(stringMember(dst, "turnId", c.TurnID), "toolCallId", c.ToolCallID)
	return appendContents(member(dst, "content"), c.Content)
}

func (a *ToolCallComplete) appendMembers(dst []byte) []byte {
	dst = stringMember(stringMember(dst, "turnId", a.TurnID), "toolCallId", a.ToolCallID)
	dst = append(append(member(dst, "result"), `{"success":`...), encoded(a.Result.Success)...)
	dst = stringMember(dst, "pastTenseMessage", a.Result.PastTenseMessage)
	if len(a.Result.Content) > 0 {
		dst = appendContents(member(dst, "content"), a.Result.Content)
	}
	if a.Result.Error != nil {
		dst = append(member(dst, "error"), encoded(a.Result.Error)...)
	}
	return append(dst, '}')
}

func appendContents(dst []byte, all []ToolContent) []byte {
	dst = append(dst, '[')
	for i := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = all[i].appendJSON(dst)
	}
	return append(dst, ']')
}

func (c *ToolContent) appendJSON(dst []byte) []byte {
	if c.Text == nil || *c != (ToolContent{Type: ContentText, Text: c.Text}) {
		return append(dst, encoded(c)...)
	}
	return append(textMember(append(dst, `{"type":"text"`...), "text", *c.Text), '}')
}
