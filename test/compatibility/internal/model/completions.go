package model

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// completions is OpenAI's chat completions API.
var completions = api{parse: parseCompletions, stream: streamCompletions, whole: wholeCompletions}

// A function is a tool, as both of OpenAI's APIs describe it.
type function struct {
	Name       string `json:"name"`
	Parameters schema `json:"parameters"`
}

func parseCompletions(body []byte) (conversation, error) {
	var request struct {
		Stream   bool `json:"stream"`
		Messages []struct {
			Role    string  `json:"role"`
			Content content `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Function function `json:"function"`
		} `json:"tools"`
	}
	if err := exactjson.Unmarshal(body, &request); err != nil {
		return conversation{}, err
	}
	c := conversation{stream: request.Stream}
	for _, m := range request.Messages {
		switch m.Role {
		case "user":
			c.items = append(c.items, m.Content.items()...)
		case "tool":
			c.items = append(c.items, item{result: true})
		}
	}
	for _, t := range request.Tools {
		c.tools = append(c.tools, tool{t.Function.Name, t.Function.Parameters})
	}
	return c, nil
}

// content is a message's content: a text or a list of parts.
type content []part

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func (c *content) UnmarshalJSON(text []byte) error {
	var plain string
	if exactjson.Unmarshal(text, &plain) == nil {
		*c = content{{Type: "text", Text: plain}}
		return nil
	}
	return exactjson.Unmarshal(text, (*[]part)(c))
}

// items returns a user message's items. Each API has its own names for the types.
func (c content) items() []item {
	var list []item
	for _, p := range c {
		switch p.Type {
		case "text", "input_text":
			list = append(list, item{text: p.Text})
		case "image", "image_url", "input_image":
			list = append(list, item{image: true})
		case "tool_result":
			list = append(list, item{result: true})
		}
	}
	return list
}

func streamCompletions(e *events, r reply) {
	chunk := func(delta object, finish any) {
		e.send("", object{
			"id": "c" + r.id, "object": "chat.completion.chunk", "created": 1, "model": Name,
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}},
		})
	}
	chunk(object{"role": "assistant", "content": r.text}, nil)
	e.hold(r)
	finish := "stop"
	if r.call != nil {
		call := toolCall(r.call)
		call["index"] = 0
		chunk(object{"tool_calls": []any{call}}, nil)
		finish = "tool_calls"
	}
	chunk(object{}, finish)
	e.send("", object{
		"id": "c" + r.id, "object": "chat.completion.chunk", "created": 1, "model": Name, "choices": []any{}, "usage": tokens(),
	})
	_, _ = fmt.Fprint(e.w, "data: [DONE]\n\n")
}

func wholeCompletions(r reply) any {
	message, finish := object{"role": "assistant", "content": r.text}, "stop"
	if r.call != nil {
		message["tool_calls"] = []any{toolCall(r.call)}
		finish = "tool_calls"
	}
	return object{
		"id": "c" + r.id, "object": "chat.completion", "created": 1, "model": Name, "usage": tokens(),
		"choices": []any{object{"index": 0, "message": message, "finish_reason": finish}},
	}
}

func toolCall(c *call) object {
	return object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.text()}}
}

func tokens() object {
	return object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
}
