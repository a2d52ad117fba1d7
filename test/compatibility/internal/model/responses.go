package model

import "github.com/turnwire/turnwire/internal/exactjson"

// responses is OpenAI's responses API.
var responses = api{parse: parseResponses, stream: streamResponses, whole: wholeResponses}

func parseResponses(body []byte) (conversation, error) {
	var request struct {
		Stream bool `json:"stream"`
		Input  []struct {
			Type    string  `json:"type"`
			Role    string  `json:"role"`
			Content content `json:"content"`
		} `json:"input"`
		Tools []function `json:"tools"`
	}
	if err := exactjson.Unmarshal(body, &request); err != nil {
		return conversation{}, err
	}
	c := conversation{stream: request.Stream}
	for _, i := range request.Input {
		switch {
		case i.Type == "function_call_output":
			c.items = append(c.items, item{result: true})
		case i.Role == "user":
			c.items = append(c.items, i.Content.items()...)
		}
	}
	for _, t := range request.Tools {
		c.tools = append(c.tools, tool{t.Name, t.Parameters})
	}
	return c, nil
}

func streamResponses(e *events, r reply) {
	number := 0
	send := func(name string, event object) {
		event["type"], event["sequence_number"] = name, number
		number++
		e.send(name, event)
	}
	send("response.created", object{"response": response(r, "in_progress")})
	var output []any
	add := func(begun, done object, middle func(id string, index int)) {
		index := len(output)
		id, _ := done["id"].(string)
		send("response.output_item.added", object{"output_index": index, "item": begun})
		middle(id, index)
		send("response.output_item.done", object{"output_index": index, "item": done})
		output = append(output, done)
	}
	if r.text != "" {
		begun := object{"id": "m" + r.id, "type": "message", "role": "assistant", "status": "in_progress", "content": []any{}}
		add(begun, outputMessage(r), func(id string, index int) {
			at := func(event object) object {
				event["item_id"], event["output_index"], event["content_index"] = id, index, 0
				return event
			}
			send("response.content_part.added", at(object{"part": outputText("")}))
			send("response.output_text.delta", at(object{"delta": r.text, "logprobs": []any{}}))
			e.hold(r)
			send("response.output_text.done", at(object{"text": r.text, "logprobs": []any{}}))
			send("response.content_part.done", at(object{"part": outputText(r.text)}))
		})
	}
	if r.call != nil {
		begun := called(r.call)
		begun["status"], begun["arguments"] = "in_progress", ""
		add(begun, called(r.call), func(id string, index int) {
			send("response.function_call_arguments.delta", object{"item_id": id, "output_index": index, "delta": r.call.text()})
			send("response.function_call_arguments.done", object{"item_id": id, "output_index": index, "arguments": r.call.text()})
		})
	}
	send("response.completed", object{"response": response(r, "completed", output...)})
}

func wholeResponses(r reply) any {
	var output []any
	if r.text != "" {
		output = append(output, outputMessage(r))
	}
	if r.call != nil {
		output = append(output, called(r.call))
	}
	return response(r, "completed", output...)
}

func response(from reply, status string, output ...any) object {
	if output == nil {
		output = []any{}
	}
	r := object{"id": "r" + from.id, "object": "response", "created_at": 1, "model": Name, "status": status, "output": output}
	if status == "completed" {
		r["usage"] = object{
			"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 5, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 15,
		}
	}
	return r
}

func outputMessage(r reply) object {
	return object{"id": "m" + r.id, "type": "message", "role": "assistant", "status": "completed", "content": []any{outputText(r.text)}}
}

func outputText(text string) object {
	return object{"type": "output_text", "text": text, "annotations": []any{}}
}

func called(c *call) object {
	return object{"id": "f" + c.id, "type": "function_call", "status": "completed", "call_id": c.id, "name": c.name, "arguments": c.text()}
}
