package acp

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
)

// A form is an elicitation that can be asked as one question: it has one
// property, or none and so asks for consent alone.
type form struct {
	question agent.QuestionAsked
	property string
	kind     string            // the JSON type of the property
	values   map[string]string // what the choices stand for, where they have titles
}

// The choices of questions that are no choice among values.
const (
	choiceYes     = "Yes"
	choiceNo      = "No"
	choiceAccept  = "Accept"
	choiceDecline = "Decline"
)

var (
	errNoForm   = errors.New("it is not a form")
	errNoSimple = errors.New("it has more than one field")
	errNoChoice = errors.New("that was no choice")
)

type wireForm struct {
	SessionID  string `json:"sessionId"`
	ToolCallID string `json:"toolCallId"`
	Mode       string `json:"mode"`
	Message    string `json:"message"`
	URL        string `json:"url"`

	Schema json.RawMessage `json:"requestedSchema"`
}

type wireSchema struct {
	Title      string                  `json:"title"`
	Properties map[string]wireProperty `json:"properties"`
}

type wireProperty struct {
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Enum        []string    `json:"enum"`
	OneOf       []wireTitle `json:"oneOf"`
	Items       struct {
		Enum  []string    `json:"enum"`
		AnyOf []wireTitle `json:"anyOf"`
	} `json:"items"`
}

type wireTitle struct {
	Value string `json:"const"`
	Title string `json:"title"`
}

// parseForm makes a question of the request m. A schema must be read as a whole,
// for it says what is answered; of what stands beside it, what cannot be read is
// left out.
func parseForm(m jsonrpc.Message) (form, error) {
	var w wireForm
	err := unmarshal(m.Params, &w)
	if _, typed := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !typed {
		return form{}, err
	}
	f := form{question: agent.QuestionAsked{
		QuestionID: label("elicitation", m.ID),
		Question:   w.Message,
		ToolCallID: w.ToolCallID,
	}}
	if w.Mode != "form" && w.Mode != "" {
		return f, errNoForm
	}
	var schema wireSchema
	if jsonrpc.Present(w.Schema) != nil && unmarshal(w.Schema, &schema) != nil {
		return f, errNoSimple
	}
	f.question.Header = schema.Title
	if len(schema.Properties) > 1 {
		return f, errNoSimple
	}
	if len(schema.Properties) == 0 {
		f.question.Options = []string{choiceAccept, choiceDecline}
		return f, nil
	}
	for name, p := range schema.Properties {
		f.property, f.kind = name, p.Type
		if f.question.Header == "" {
			f.question.Header = p.Title
		}
		if p.Description != "" && p.Description != w.Message {
			f.question.Question = strings.TrimSpace(w.Message + "\n" + p.Description)
		}
		return f, f.choices(p)
	}
	return f, nil
}

// choices takes over what can be chosen.
func (f *form) choices(p wireProperty) error {
	switch p.Type {
	case "string":
		f.titled(p.Enum, p.OneOf)
	case "boolean":
		f.question.Options = []string{choiceYes, choiceNo}
	case "number", "integer":
	case "array":
		f.titled(p.Items.Enum, p.Items.AnyOf)
		f.question.Multiple = true
		if len(f.question.Options) == 0 {
			return errNoSimple
		}
	default:
		return errNoSimple
	}
	return nil
}

func (f *form) titled(plain []string, titled []wireTitle) {
	f.question.Options = plain
	for _, t := range titled {
		name := t.Title
		if name == "" || f.values[name] != "" {
			name = t.Value
		}
		if f.values == nil {
			f.values = make(map[string]string)
		}
		f.values[name] = t.Value
		f.question.Options = append(f.question.Options, name)
	}
}

// result is `CreateElicitationResponse` for what the user answered.
func (f *form) result(r agent.QuestionResponse) (any, error) {
	if r.Cancelled {
		return elicited{Action: "cancel"}, nil
	}
	if f.property == "" {
		if r.Answer == choiceAccept {
			return elicited{Action: "accept"}, nil
		}
		return elicited{Action: "decline"}, nil
	}
	value, err := f.value(r)
	if err != nil {
		return elicited{Action: "cancel"}, err
	}
	return elicited{Action: "accept", Content: map[string]any{f.property: value}}, nil
}

type elicited struct {
	Action  string         `json:"action"`
	Content map[string]any `json:"content,omitempty"`
}

func (f *form) value(r agent.QuestionResponse) (any, error) {
	switch f.kind {
	case "boolean":
		if r.Answer != choiceYes && r.Answer != choiceNo {
			return nil, errNoChoice
		}
		return r.Answer == choiceYes, nil
	case "number":
		n, err := strconv.ParseFloat(strings.TrimSpace(r.Answer), 64)
		if err == nil {
			_, err = json.Marshal(n) // NaN and the infinities are none in JSON
		}
		return n, err
	case "integer":
		return strconv.ParseInt(strings.TrimSpace(r.Answer), 10, 64)
	case "array":
		answers := r.Answers
		if answers == nil && r.Answer != "" {
			answers = strings.Split(r.Answer, ", ")
		}
		values := make([]string, 0, len(answers))
		for _, a := range answers {
			v, err := f.chosen(a)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
		return values, nil
	}
	return f.chosen(r.Answer)
}

// chosen is the value of a choice. Where there are choices, nothing else is
// one.
func (f *form) chosen(answer string) (string, error) {
	if len(f.question.Options) > 0 && !slices.Contains(f.question.Options, answer) {
		return "", errNoChoice
	}
	if v, ok := f.values[answer]; ok {
		return v, nil
	}
	return answer, nil
}

// elicitation asks the user what can be asked, and tells of the rest, which
// is declined.
func (d *decoder) elicitation(m jsonrpc.Message) error {
	f, err := parseForm(m)
	switch {
	case errors.Is(err, errNoForm):
		var w wireForm
		_ = unmarshal(m.Params, &w) // what can be read of it
		d.say(&agent.Notice{Severity: "warning", Message: w.Message, Description: w.URL})
		return nil
	case errors.Is(err, errNoSimple):
		d.say(&agent.Notice{
			Severity:    "warning",
			Message:     "The agent asked for a form that cannot be shown; it was declined",
			Description: f.question.Question,
		})
		return nil
	case err != nil:
		return err
	}
	id := f.question.QuestionID
	d.pose(m.ID, id, f.question.ToolCallID, &f.question, &agent.QuestionAnswered{QuestionID: id, Cancelled: true})
	return nil
}
