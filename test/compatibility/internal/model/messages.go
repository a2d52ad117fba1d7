package model

import "github.com/turnwire/turnwire/internal/exactjson"

// messages is Anthropic's messages API.
var messages = api{parse: parseMessages, stream: streamMessages, whole: wholeMessages}

func parseMessages(body []byte) (conversation, error) {
	var request struct {
		Stream   bool `json:"stream"`
		Messages []struct {
			Role    string  `json:"role"`
			Content content `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name        string `json:"name"`
			InputSchema schema `json:"input_schema"`
		} `json:"tools"`
	}
	if err := exactjson.Unmarshal(body, &request); err != nil {
		return conversation{}, err
	}
	c := conversation{stream: request.Stream}
	for _, m := range request.Messages {
		if m.Role == "user" {
			c.items = append(c.items, m.Content.items()...)
		}
	}
	for _, t := range request.Tools {
		c.tools = append(c.tools, tool{t.Name, t.InputSchema})
	}
	return c, nil
}

func streamMessages(e *events, r reply) {
	send := func(event object) {
		name, _ := event["type"].(string)
		e.send(name, event)
	}
	begun := message(r.id)
	send(object{"type": "message_start", "message": begun})
	block := 0
	add := func(start, delta object, middle func()) {
		send(object{"type": "content_block_start", "index": block, "content_block": start})
		send(object{"type": "content_block_delta", "index": block, "delta": delta})
		middle()
		send(object{"type": "content_block_stop", "index": block})
		block++
	}
	if r.text != "" {
		add(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.text}, func() { e.hold(r) })
	}
	stop := "end_turn"
	if r.call != nil {
		stop = "tool_use"
		add(object{"type": "tool_use", "id": r.call.id, "name": r.call.name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": r.call.text()}, func() {})
	}
	send(object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 5}})
	send(object{"type": "message_stop"})
}

func wholeMessages(r reply) any {
	m := message(r.id)
	var list []any
	m["stop_reason"] = "end_turn"
	if r.text != "" {
		list = append(list, object{"type": "text", "text": r.text})
	}
	if r.call != nil {
		m["stop_reason"] = "tool_use"
		list = append(list, object{"type": "tool_use", "id": r.call.id, "name": r.call.name, "input": r.call.args})
	}
	m["content"] = list
	return m
}

func message(id string) object {
	return object{
		"id": "m" + id, "type": "message", "role": "assistant", "model": Name, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 5},
	}
}
