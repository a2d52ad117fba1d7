package v1

import (
	"bytes"
	"unicode/utf8"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// quickCall parses a tool call or an update of one, without reflection except for what is
// rare and short. Output may be long, and encoding/json reads what is nested several times.
// quickCall returns nil for updates that it cannot parse.
func quickCall(update []byte) Update {
	var kind string
	f := new(ToolCallFields)
	seen := make(map[string]bool, 8)
	o := rawjson.Walk(update)
	for {
		key, value, more := o.Next()
		if !more {
			break
		}
		if seen[string(key)] {
			return nil
		}
		seen[string(key)] = true
		ok := true
		switch string(key) {
		case "sessionUpdate":
			kind = string(value)
		case "toolCallId":
			f.ToolCallID, ok = quickString[string](value)
		case "title":
			f.Title, ok = quickString[string](value)
		case "name":
			f.Name, ok = quickString[string](value)
		case "kind":
			f.Kind, ok = quickString[ToolKind](value)
		case "status":
			f.Status, ok = quickString[ToolCallStatus](value)
		case "content":
			f.Content, ok = quickContents(value)
		case "locations":
			ok = exactjson.Unmarshal(value, &f.Locations) == nil
		case "rawInput":
			f.RawInput = bytes.Clone(value)
		case "rawOutput":
			f.RawOutput = bytes.Clone(value)
		case "_meta":
			ok = exactjson.Unmarshal(value, &f.Meta) == nil
		default:
			ok = false
		}
		if !ok {
			return nil
		}
	}
	switch {
	case o.Err() != nil:
	case kind == `"tool_call"`:
		return &ToolCall{*f}
	case kind == `"tool_call_update"`:
		return &ToolCallUpdate{*f}
	}
	return nil
}

// quickString parses a JSON string. ok is false for other values, and for a string with
// invalid UTF-8, which encoding/json replaces.
func quickString[S ~string](value []byte) (s S, ok bool) {
	parsed, err := rawjson.Parse(value)
	if err != nil || !utf8.Valid(parsed) {
		return "", false
	}
	return S(parsed.String()), true
}

// quickContents parses the content of a tool call.
func quickContents(value []byte) (ToolContents, bool) {
	if value[0] != '[' {
		return nil, false
	}
	contents := ToolContents{}
	for item := range rawjson.Elements(value) {
		text := plainItem(item)
		if text == nil {
			var all ToolContents
			return all, exactjson.Unmarshal(value, &all) == nil
		}
		contents = append(contents, &ContentItem{Content: text})
	}
	return contents, true
}

// plainItem returns the block of an item that contains only text, or nil.
func plainItem(item []byte) Block {
	if item[0] != '{' {
		return nil
	}
	var typed bool
	var text Block
	o := rawjson.Walk(item)
	for {
		key, value, more := o.Next()
		if !more {
			break
		}
		switch {
		case string(key) == "type" && !typed && string(value) == `"content"`:
			typed = true
		case string(key) == "content" && text == nil:
			if text = plainText(value); text == nil {
				return nil
			}
		default:
			return nil
		}
	}
	if o.Err() != nil || !typed {
		return nil
	}
	return text
}
