package ahpmap

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Question maps a question. id is the request's id for clients. ok is false if AHP
// cannot ask the question, for example because a secret would become a draft that all
// clients can read.
func Question(id string, r *v1.ElicitationRequest) (request ahp.InputRequest, ok bool) {
	request = ahp.InputRequest{ID: id, Message: r.Message}
	switch {
	case r.Mode == v1.ElicitURL:
		request.URL = r.URL
		return request, r.URL != ""
	case r.RequestedSchema == nil:
		return request, false
	}
	for _, p := range r.RequestedSchema.Properties {
		if secret, _ := p.Property.Meta[v1.SecretMeta].(bool); secret {
			return request, false
		}
		q := question(p.Name, p.Property)
		q.Required = slices.Contains(r.RequestedSchema.Required, p.Name)
		request.Questions = append(request.Questions, q)
	}
	return request, true
}

func question(name string, p v1.ElicitationProperty) ahp.Question {
	q := ahp.Question{ID: name, Title: p.Title, Message: cmp.Or(p.Description, p.Title, name), Format: p.Format}
	var preset any
	if len(p.Default) > 0 && exactjson.Unmarshal(p.Default, &preset) == nil {
		q.DefaultValue = preset
	}
	switch {
	case p.Type == "boolean":
		q.Kind = ahp.AskBoolean
	case p.Type == "integer", p.Type == "number":
		q.Kind, q.Min, q.Max = ahp.AskNumber, p.Minimum, p.Maximum
		if p.Type == "integer" {
			q.Kind = ahp.AskInteger
		}
	case p.Type == "array":
		q.Kind, q.Min, q.Max, q.Options = ahp.AskMany, length(p.MinItems), length(p.MaxItems), []ahp.InputOption{}
		if p.Items != nil {
			q.Options = options(p.Items.Enum, p.Items.AnyOf, preset)
		}
		q.DefaultValue = nil
	case len(p.Enum)+len(p.OneOf) > 0:
		q.Kind, q.Options, q.DefaultValue = ahp.AskOne, options(p.Enum, p.OneOf, preset), nil
	default:
		q.Kind, q.Min, q.Max = ahp.AskText, length(p.MinLength), length(p.MaxLength)
	}
	return q
}

// options lists choices. The preset one is recommended.
func options(plain []string, titled []v1.EnumOption, preset any) []ahp.InputOption {
	all := make([]ahp.InputOption, 0, len(plain)+len(titled))
	for _, value := range plain {
		all = append(all, ahp.InputOption{ID: value, Label: value, Recommended: value == preset})
	}
	for _, o := range titled {
		all = append(all, ahp.InputOption{ID: o.Const, Label: o.Title, Description: o.Description, Recommended: o.Const == preset})
	}
	return all
}

func length(n *int) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}

// Answer converts clients' answers to the response to a question. It returns an error
// if a required answer is missing or an answer has the wrong type.
func Answer(r *v1.ElicitationRequest, response string, answers map[string]ahp.Answer) (*v1.ElicitationResponse, error) {
	out := &v1.ElicitationResponse{Action: response}
	switch response {
	case ahp.Decline, ahp.Cancel:
		return out, nil
	case ahp.Accept:
	default:
		return nil, fmt.Errorf("invalid response %q", response)
	}
	if r.RequestedSchema == nil {
		return out, nil
	}
	out.Content = make(map[string]json.RawMessage)
	for _, p := range r.RequestedSchema.Properties {
		a, there := answers[p.Name]
		required := slices.Contains(r.RequestedSchema.Required, p.Name)
		if !there || a.State == ahp.AnswerSkipped || a.Value == nil || isEmpty(a.Value) && (!required || p.Property.Type != "string") {
			if required {
				return nil, fmt.Errorf("the question %q must be answered", p.Name)
			}
			continue
		}
		value, err := answer(p.Property, a.Value)
		if err != nil {
			return nil, fmt.Errorf("answer to %q: %w", p.Name, err)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("answer to %q: %w", p.Name, err)
		}
		out.Content[p.Name] = raw
	}
	return out, nil
}

// isEmpty reports whether nothing was typed. VS Code sends an empty text for each
// unanswered field.
func isEmpty(v *ahp.AnswerValue) bool {
	text, is := v.Value.(string)
	return is && strings.TrimSpace(text) == "" && len(v.FreeformValues) == 0
}

// typed converts text that a user typed into a field. VS Code 1.139 uses text fields
// for numbers and booleans.
func typed(kind string, value any) any {
	text, is := value.(string)
	if !is {
		return value
	}
	text = strings.ToLower(strings.TrimSpace(text))
	switch kind {
	case "number", "integer":
		if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			return n
		}
	case "boolean":
		switch text {
		case "true", "yes", "y":
			return true
		case "false", "no", "n":
			return false
		}
	case "array":
		return []any{value}
	}
	return value
}

// answer checks that a value has its property's type.
func answer(p v1.ElicitationProperty, v *ahp.AnswerValue) (any, error) {
	value := typed(p.Type, v.Value)
	switch p.Type {
	case "boolean":
		if _, is := value.(bool); is {
			return value, nil
		}
	case "number", "integer":
		if n, is := value.(float64); is && (p.Type == "number" || n == float64(int64(n))) {
			return value, nil
		}
	case "array":
		if many, is := value.([]any); is && !slices.ContainsFunc(many, func(one any) bool { _, is := one.(string); return !is }) {
			return value, nil
		}
	default:
		if text, is := value.(string); is {
			if text == "" && len(v.FreeformValues) > 0 {
				return v.FreeformValues[0], nil
			}
			return text, nil
		}
	}
	return nil, fmt.Errorf("must be of type %s", p.Type)
}
