package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An Answer describes the values that a suspension can be resumed with, if it is
// not a permission.
type Answer struct {
	kind     string   // string, number or boolean: the type that a text is converted to
	options  []option // the choices, if any
	multiple bool     // several choices are possible, and a list is sent
	property string   // the object member in which the value is sent
}

// An option is a choice: its name for the user, and its value for the server.
type option struct {
	name  string
	value json.RawMessage // nil: the call is cancelled
}

// goOn has the options for running a call again. Resuming it needs no value; the only
// alternative is to refuse it.
var goOn = []option{{"Continue", json.RawMessage("null")}, {"Cancel", nil}}

var yesNo = []option{{"Yes", json.RawMessage("true")}, {"No", json.RawMessage("false")}}

// schema is the part of a JSON Schema that a question can represent.
type schema struct {
	Type       json.RawMessage            `json:"type"`
	Enum       []json.RawMessage          `json:"enum"`
	Items      json.RawMessage            `json:"items"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// answerTo returns the possible answers according to the response schema. It
// returns false if the schema requires more than one text or choice.
func answerTo(resumeMode string, raw json.RawMessage) (Answer, bool) {
	if raw == nil {
		if resumeMode == "replay_tool_call" {
			return Answer{options: goOn}, true
		}
		return Answer{kind: "string"}, true
	}
	var s schema
	if exactjson.Unmarshal(raw, &s) != nil {
		return Answer{}, false
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
		return Answer{}, false
	}
	a, ok := inner.simple()
	a.property = name
	return a, ok
}

// simple returns the answer for a schema that is not an object.
func (s schema) simple() (Answer, bool) {
	if len(s.Enum) > 0 {
		return choices(s.Enum)
	}
	switch kind := str(s.Type); kind {
	case "boolean":
		return Answer{options: yesNo}, true
	case "integer", "number":
		return Answer{kind: "number"}, true
	case "string":
		return Answer{kind: "string"}, true
	case "array":
		var items schema
		if exactjson.Unmarshal(s.Items, &items) != nil || len(items.Enum) == 0 {
			return Answer{}, false
		}
		a, ok := choices(items.Enum)
		a.multiple = true
		return a, ok
	case "":
		return Answer{kind: "string"}, len(s.Type) == 0 || string(s.Type) == "null"
	}
	return Answer{}, false
}

func choices(values []json.RawMessage) (Answer, bool) {
	var a Answer
	for _, v := range values {
		name := str(v)
		if name == "" && (len(v) == 0 || v[0] == '"' || v[0] == '{' || v[0] == '[') {
			return Answer{}, false
		}
		if name == "" {
			name = string(v)
		}
		a.options = append(a.options, option{name, v})
	}
	return a, true
}

// names returns the choices as shown to the user.
func (a Answer) names() []string {
	var names []string
	for _, o := range a.options {
		names = append(names, o.name)
	}
	return names
}

var errNoChoice = errors.New("the answer is not one of the choices; the tool call was cancelled")

// Value converts the user's response to a value for the server. It returns nil
// for a refusal.
func (a Answer) Value(r agent.QuestionResponse) (json.RawMessage, error) {
	if r.Cancelled {
		return nil, nil
	}
	v, err := a.plain(r)
	if err != nil || v == nil || a.property == "" {
		return v, err
	}
	return json.Marshal(map[string]json.RawMessage{a.property: v})
}

func (a Answer) plain(r agent.QuestionResponse) (json.RawMessage, error) {
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
			return nil, errors.New("the answer is not a number; the tool call was cancelled")
		}
		return json.RawMessage(text), nil
	}
	return json.Marshal(r.Answer)
}

func (a Answer) choice(name string) (json.RawMessage, error) {
	for _, o := range a.options {
		if strings.EqualFold(o.name, strings.TrimSpace(name)) {
			return o.value, nil
		}
	}
	return nil, errNoChoice
}

// text returns the user's answer, given here or elsewhere, for the value that
// the server received.
func (a Answer) text(given value) string {
	if v := valueOf(given.Fields, a.property); a.property != "" && v.raw != nil {
		given = v
	}
	raw := given.raw
	if raw == nil {
		raw = agent.Raw("null")
	}
	for _, o := range a.options {
		if bytes.Equal(o.value, raw) {
			return o.name
		}
	}
	if printed, _, ok := output(given); ok {
		return printed.String()
	}
	return given.shown()
}

// str returns the string in raw, or "" for any other value.
func str(raw json.RawMessage) string { return value{raw: raw}.text() }
