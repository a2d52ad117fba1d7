package wire

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A form is an elicitation converted to a question.
type form struct {
	question agent.QuestionAsked
	consent  bool // it has no fields, and so only asks for consent
}

// The choices of a form that only asks for consent.
const (
	choiceAccept  = "Accept"
	choiceDecline = "Decline"
)

var (
	errNoForm = errors.New("its mode is unknown")
	errFields = errors.New("it has an unknown field")
)

type wireForm struct {
	SessionID  string `json:"sessionId"`
	ToolCallID string `json:"toolCallId"`
	Mode       string `json:"mode"`
	Message    string `json:"message"`
	URL        string `json:"url"`
	ID         string `json:"elicitationId"`

	Schema json.RawMessage `json:"requestedSchema"`
}

// parseForm converts the request m to a question. The schema must be valid as a
// whole, because it defines the answer. Other members that can't be decoded are
// ignored.
func parseForm(m jsonrpc.Message) (f form, w wireForm, err error) {
	err = unmarshal(m.Params, &w)
	if _, typed := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !typed {
		return form{}, w, err
	}
	f = form{question: agent.QuestionAsked{
		QuestionID: label("elicitation", m.ID),
		Question:   w.Message,
		ToolCallID: w.ToolCallID,
	}}
	switch w.Mode {
	case v1.ElicitURL:
		f.question.URL = w.URL
		if w.URL == "" {
			return f, w, errNoForm
		}
		return f, w, nil
	case v1.ElicitForm, "":
	default:
		return f, w, errNoForm
	}
	var schema v1.ElicitationSchema
	if rawmsg.Present(w.Schema) != nil && unmarshal(w.Schema, &schema) != nil {
		return f, w, errFields
	}
	f.question.Header = schema.Title
	if schema.Description != "" && schema.Description != w.Message {
		f.question.Question += "\n" + schema.Description
	}
	required := make(map[string]bool, len(schema.Required))
	for _, name := range schema.Required {
		required[name] = true
	}
	for _, p := range schema.Properties {
		field, ok := fieldOf(p)
		if !ok {
			return f, w, errFields
		}
		field.Required = required[p.Name]
		f.question.Fields = append(f.question.Fields, field)
	}
	if f.consent = len(f.question.Fields) == 0; f.consent {
		f.question.Options = []string{choiceAccept, choiceDecline}
	}
	return f, w, nil
}

// fieldOf converts a property to a field. ok is false for an unknown type.
func fieldOf(named v1.NamedProperty) (f agent.Field, ok bool) {
	p := &named.Property
	f = agent.Field{
		Name: named.Name, Title: p.Title, Description: p.Description, Default: p.Default,
		Format: p.Format, Pattern: p.Pattern, MinLength: p.MinLength, MaxLength: p.MaxLength,
		Minimum: p.Minimum, Maximum: p.Maximum, MinItems: p.MinItems, MaxItems: p.MaxItems,
		Secret: p.Meta[v1.SecretMeta] == true,
	}
	switch p.Type {
	case "string":
		f.Type, f.Options = agent.FieldString, fieldOptions(p.Enum, p.OneOf)
		if len(f.Options) > 0 {
			f.Type = agent.FieldChoice
		}
	case "number":
		f.Type = agent.FieldNumber
	case "integer":
		f.Type = agent.FieldInteger
	case "boolean":
		f.Type = agent.FieldBoolean
	case "array":
		if p.Items == nil {
			return f, false
		}
		f.Type, f.Options = agent.FieldChoices, fieldOptions(p.Items.Enum, p.Items.AnyOf)
		return f, len(f.Options) > 0
	default:
		return f, false
	}
	return f, true
}

func fieldOptions(plain []string, titled []v1.EnumOption) []agent.FieldOption {
	var out []agent.FieldOption
	for _, value := range plain {
		out = append(out, agent.FieldOption{Value: value})
	}
	for _, o := range titled {
		out = append(out, agent.FieldOption{Value: o.Const, Title: o.Title, Description: o.Description})
	}
	return out
}

// elicitation asks the user if it can. Otherwise, it notifies the user of the
// form, which is declined.
func (d *decoder) elicitation(m jsonrpc.Message) error {
	f, w, err := parseForm(m)
	switch {
	case errors.Is(err, errNoForm), errors.Is(err, errFields):
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
	if w.ID != "" && f.question.URL != "" && len(d.pages) < maxAsked {
		d.pages[w.ID] = id
	}
	d.pose(m.ID, &f.question, &agent.QuestionAnswered{QuestionID: id, Cancelled: true})
	return nil
}

// completed reports that the user is done on the page of an elicitation.
func (d *decoder) completed(params []byte) error {
	var p v1.CompleteElicitationNotification
	if err := unmarshal(params, &p); err != nil {
		return err
	}
	id, ok := d.pages[p.ElicitationID]
	if !ok {
		return fmt.Errorf("there is no pending question with the ID %.80q", p.ElicitationID)
	}
	delete(d.pages, p.ElicitationID)
	d.say(&agent.QuestionAnswered{QuestionID: id})
	return nil
}
