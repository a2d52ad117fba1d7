package acpmap

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// The properties in the form for a question without fields: the answer, and the user's
// own answer where the choices are not all.
const (
	AnswerProperty = "answer"
	OwnProperty    = "own"
)

// Form returns a question as a form.
func Form(e *agent.QuestionAsked, sessionID string) v1.ElicitationRequest {
	schema := &v1.ElicitationSchema{Type: "object", Properties: v1.ElicitationProperties{}}
	if len(e.Fields) == 0 {
		schema.Properties = append(schema.Properties, v1.NamedProperty{Name: AnswerProperty, Property: answerProperty(e)})
		if ownAnswers(e) {
			// One of the two is enough, which a schema can't say.
			own := v1.ElicitationProperty{Type: "string", Title: "Your own answer"}
			schema.Properties = append(schema.Properties, v1.NamedProperty{Name: OwnProperty, Property: own})
		} else {
			schema.Required = []string{AnswerProperty}
		}
	} else {
		schema.Title = visible.Text(e.Header)
		for i := range e.Fields {
			f := &e.Fields[i]
			schema.Properties = append(schema.Properties, v1.NamedProperty{Name: f.Name, Property: fieldProperty(f)})
			if f.Required {
				schema.Required = append(schema.Required, f.Name)
			}
		}
	}
	return v1.ElicitationRequest{
		SessionID:       sessionID,
		Mode:            v1.ElicitForm,
		Message:         label(questionText(e)),
		RequestedSchema: schema,
	}
}

// answerProperty returns the only property for a question without fields.
func answerProperty(e *agent.QuestionAsked) v1.ElicitationProperty {
	title, choices := visible.Text(e.Header), shownChoices(e)
	p := v1.ElicitationProperty{Type: "string", Title: title}
	switch {
	case len(e.Options) > 0 && e.Multiple:
		p = v1.ElicitationProperty{Type: "array", Title: title, Items: &v1.ElicitationItems{Type: "string", Enum: choices}}
	case len(e.Options) > 0:
		p.Enum = choices
	}
	return p
}

// ownAnswers reports whether the user may choose, or answer something else.
func ownAnswers(e *agent.QuestionAsked) bool { return len(e.Options) > 0 && e.AllowCustom }

// FormAnswer returns the answers to a question without fields. They are nil if the user
// gave none.
func FormAnswer(e *agent.QuestionAsked, r *v1.ElicitationResponse) ([]string, error) {
	var texts []string
	for _, property := range []string{AnswerProperty, OwnProperty} {
		if property == OwnProperty && !ownAnswers(e) {
			break
		}
		if _, given := r.Content[property]; !given && ownAnswers(e) {
			continue
		}
		some, err := r.Strings(property)
		if err != nil {
			return nil, err
		}
		if property == OwnProperty {
			some = slices.DeleteFunc(some, func(text string) bool { return strings.TrimSpace(text) == "" })
			if len(some) > 0 && !e.Multiple {
				texts = nil // the user's own words take precedence over a choice
			}
		}
		texts = append(texts, some...)
	}
	return Answers(e, texts), nil
}

// formContent returns the form's content for an answer to a question without fields.
func formContent(e *agent.QuestionAsked, r *agent.QuestionResponse) map[string]json.RawMessage {
	answers := r.Answers
	if !e.Multiple {
		answers = []string{r.Answer}
	}
	var chosen, own []string
	for _, answer := range answers {
		if ownAnswers(e) && !slices.Contains(e.Options, answer) {
			own = append(own, answer)
		} else {
			chosen = append(chosen, answer)
		}
	}
	content := map[string]json.RawMessage{}
	switch {
	case e.Multiple:
		content[AnswerProperty] = v1.AppendValue(nil, chosen)
	case len(chosen) > 0:
		content[AnswerProperty] = v1.AppendValue(nil, chosen[0])
	}
	if len(own) > 0 {
		content[OwnProperty] = v1.AppendValue(nil, strings.Join(own, ", "))
	}
	return content
}

// fieldProperty returns a well-formed field as a property.
func fieldProperty(f *agent.Field) v1.ElicitationProperty {
	p := v1.ElicitationProperty{
		Type:        string(f.Type),
		Title:       label(cmp.Or(f.Title, f.Name)),
		Description: label(f.Description),
		Default:     f.Default,
	}
	switch f.Type {
	case agent.FieldString:
		p.Format, p.Pattern, p.MinLength, p.MaxLength = f.Format, f.Pattern, f.MinLength, f.MaxLength
		if f.Secret {
			p.Meta = v1.Meta{v1.SecretMeta: true}
		}
	case agent.FieldNumber, agent.FieldInteger:
		p.Minimum, p.Maximum = f.Minimum, f.Maximum
	case agent.FieldChoice:
		p.Type = "string"
		p.Enum, p.OneOf = fieldChoices(f)
	case agent.FieldChoices:
		p.Type, p.MinItems, p.MaxItems = "array", f.MinItems, f.MaxItems
		plain, titled := fieldChoices(f)
		p.Items = &v1.ElicitationItems{Enum: plain, AnyOf: titled}
		if titled == nil {
			p.Items.Type = "string"
		}
	case agent.FieldBoolean:
	}
	return p
}

// fieldChoices returns a field's options as plain values if that loses nothing and they
// can be shown. Otherwise it returns them with titles.
func fieldChoices(f *agent.Field) (plain []string, titled []v1.EnumOption) {
	simple := true
	for _, o := range f.Options {
		title := label(cmp.Or(o.Title, o.Value))
		simple = simple && title == o.Value && o.Description == ""
		plain = append(plain, o.Value)
		titled = append(titled, v1.EnumOption{Const: o.Value, Title: title, Description: label(o.Description)})
	}
	if simple {
		return plain, nil
	}
	return nil, titled
}

// Page returns a question that sends the user to a URL. id identifies it when the user
// is done there; see [v1.CompleteElicitationNotification].
func Page(e *agent.QuestionAsked, sessionID, id string) v1.ElicitationRequest {
	return v1.ElicitationRequest{
		SessionID:     sessionID,
		Mode:          v1.ElicitURL,
		Message:       label(questionText(e)),
		ElicitationID: id,
		URL:           uri(e.URL),
	}
}

// Single converts a question with one field to one without fields, for clients without
// forms; see [FieldValue]. ok is false if that is not possible: there are more fields,
// or the field is secret and the answer would appear in the conversation.
func Single(e *agent.QuestionAsked) (single agent.QuestionAsked, ok bool) {
	if len(e.Fields) != 1 || e.Fields[0].Secret {
		return *e, false
	}
	f := &e.Fields[0]
	single = *e
	single.Fields = nil
	single.Header = cmp.Or(e.Header, f.Title)
	single.Question = cmp.Or(strings.TrimSpace(e.Question), single.Header, f.Name)
	if text := strings.TrimSpace(f.Description); text != "" && text != single.Question {
		single.Question = normalize.Short(single.Question + "\n" + text)
	}
	single.Multiple, single.AllowCustom = f.Type == agent.FieldChoices, false
	single.Options = nil
	if f.Type == agent.FieldBoolean {
		single.Options = []string{yes, no}
	}
	for _, o := range f.Options {
		single.Options = append(single.Options, cmp.Or(o.Title, o.Value))
	}
	return single, true
}

// yes and no are the choices for a boolean field without a form.
const (
	yes = "Yes"
	no  = "No"
)
