package model

import "github.com/turnwire/turnwire/internal/exactjson"

// generate is Google's generateContent API. Its path decides whether it streams.
var generate = api{parse: parseGenerate, stream: streamGenerate, whole: wholeGenerate}

func parseGenerate(body []byte) (conversation, error) {
	var request struct {
		Contents []struct {
			Role  string `json:"role"`
			Parts []struct {
				Text             string    `json:"text"`
				InlineData       *struct{} `json:"inlineData"`
				FunctionResponse *struct{} `json:"functionResponse"`
			} `json:"parts"`
		} `json:"contents"`
		Tools []struct {
			FunctionDeclarations []struct {
				Name                 string `json:"name"`
				Parameters           schema `json:"parameters"`
				ParametersJSONSchema schema `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := exactjson.Unmarshal(body, &request); err != nil {
		return conversation{}, err
	}
	var c conversation
	for _, content := range request.Contents {
		if content.Role != "user" {
			continue
		}
		for _, p := range content.Parts {
			c.items = append(c.items, item{text: p.Text, image: p.InlineData != nil, result: p.FunctionResponse != nil})
		}
	}
	for _, list := range request.Tools {
		for _, f := range list.FunctionDeclarations {
			s := f.ParametersJSONSchema
			if s.Properties == nil {
				s = f.Parameters
			}
			c.tools = append(c.tools, tool{f.Name, s})
		}
	}
	return c, nil
}

func streamGenerate(e *events, r reply) {
	if r.hold {
		e.send("", candidate(r.id, "", object{"text": r.text}))
		e.hold(r)
	}
	e.send("", wholeGenerate(r))
}

func wholeGenerate(r reply) any {
	p := object{"text": r.text}
	if r.call != nil {
		p = object{"functionCall": object{"id": r.call.id, "name": r.call.name, "args": r.call.args}}
	}
	return candidate(r.id, "STOP", p)
}

func candidate(id, finish string, p object) object {
	c := object{"index": 0, "content": object{"role": "model", "parts": []any{p}}}
	if finish != "" {
		c["finishReason"] = finish
	}
	return object{
		"candidates": []any{c}, "modelVersion": Name, "responseId": "g" + id,
		"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
	}
}
