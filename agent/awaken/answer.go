package awaken

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An answer is what a suspension that is no permission can be resumed with.
type answer struct {
	kind     string   // string, number, boolean: what is made of a text
	options  []option // the choices, where there are some
	multiple bool     // more than one may be taken, and a list is sent
	property string   // the member of an object that it is sent as
}

// An option is a choice: what the person sees, and what the server gets.
type option struct {
	name  string
	value json.RawMessage // nil: the call is cancelled
}

// Resuming a call that is to be run again needs no value, and refusing it is
// the other thing that can be said.
var goOn = []option{{"Continue", json.RawMessage("null")}, {"Cancel", nil}}

var yesNo = []option{{"Yes", json.RawMessage("true")}, {"No", json.RawMessage("false")}}

// schema is as much of a JSON Schema as a question can be made of.
type schema struct {
	Type       json.RawMessage            `json:"type"`
	Enum       []json.RawMessage          `json:"enum"`
	Items      json.RawMessage            `json:"items"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// answerTo finds what may be answered by the response schema. It is false
// where that asks for more than one text or choice can say.
func answerTo(resumeMode string, raw json.RawMessage) (answer, bool) {
	if !present(raw) {
		if resumeMode == "replay_tool_call" {
			return answer{options: goOn}, true
		}
		return answer{kind: "string"}, true
	}
	var s schema
	if exactjson.Unmarshal(raw, &s) != nil {
		return answer{}, false
	}
	if str(s.Type) != "object" && s.Properties == nil {
		return s.simple()
	}
	name := ""
	for property := range s.Properties {
		if len(s.Properties) == 1 || len(s.Required) == 1 && s.Required[0] == property {
			name = property
		}
	}
	var inner schema
	if name == "" || exactjson.Unmarshal(s.Properties[name], &inner) != nil {
		return answer{}, false
	}
	a, ok := inner.simple()
	a.property = name
	return a, ok
}

// simple is the answer to a schema that is no object.
func (s schema) simple() (answer, bool) {
	if len(s.Enum) > 0 {
		return choices(s.Enum)
	}
	switch kind := str(s.Type); kind {
	case "boolean":
		return answer{options: yesNo}, true
	case "integer", "number":
		return answer{kind: "number"}, true
	case "string":
		return answer{kind: "string"}, true
	case "array":
		var items schema
		if exactjson.Unmarshal(s.Items, &items) != nil || len(items.Enum) == 0 {
			return answer{}, false
		}
		a, ok := choices(items.Enum)
		a.multiple = true
		return a, ok
	case "":
		return answer{kind: "string"}, !present(s.Type)
	}
	return answer{}, false
}

func choices(values []json.RawMessage) (answer, bool) {
	var a answer
	for _, v := range values {
		name := str(v)
		if name == "" && (len(v) == 0 || v[0] == '"' || v[0] == '{' || v[0] == '[') {
			return answer{}, false
		}
		if name == "" {
			name = string(v)
		}
		a.options = append(a.options, option{name, v})
	}
	return a, true
}

// names are the choices as the person sees them.
func (a answer) names() []string {
	var names []string
	for _, o := range a.options {
		names = append(names, o.name)
	}
	return names
}

var errNoChoice = errors.New("the answer is none of the choices; the tool call was cancelled")

// value is what the server gets for what the person said; nil where that
// refuses.
func (a answer) value(r agent.QuestionResponse) (json.RawMessage, error) {
	if r.Cancelled {
		return nil, nil
	}
	v, err := a.plain(r)
	if err != nil || v == nil || a.property == "" {
		return v, err
	}
	return json.Marshal(map[string]json.RawMessage{a.property: v})
}

func (a answer) plain(r agent.QuestionResponse) (json.RawMessage, error) {
	if a.multiple {
		given := r.Answers
		if given == nil && r.Answer != "" {
			given = strings.Split(r.Answer, ", ")
		}
		list := []json.RawMessage{}
		for _, name := range given {
			v, err := a.choice(name)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return json.Marshal(list)
	}
	if a.options != nil {
		return a.choice(r.Answer)
	}
	if a.kind == "number" {
		var n json.Number
		text := strings.TrimSpace(r.Answer)
		if exactjson.Unmarshal([]byte(text), &n) != nil || n == "" {
			return nil, errors.New("the answer is no number; the tool call was cancelled")
		}
		return json.RawMessage(text), nil
	}
	return json.Marshal(r.Answer)
}

func (a answer) choice(name string) (json.RawMessage, error) {
	for _, o := range a.options {
		if strings.EqualFold(o.name, strings.TrimSpace(name)) {
			return o.value, nil
		}
	}
	return nil, errNoChoice
}

// said is what the person, here or elsewhere, has said when the server was
// given raw.
func (a answer) said(raw json.RawMessage) string {
	if a.property != "" {
		var f map[string]json.RawMessage
		if exactjson.Unmarshal(raw, &f) == nil && f[a.property] != nil {
			raw = f[a.property]
		}
	}
	if !present(raw) {
		raw = json.RawMessage("null")
	}
	for _, o := range a.options {
		if bytes.Equal(o.value, raw) {
			return o.name
		}
	}
	return textIn(raw)
}
