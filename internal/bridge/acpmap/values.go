package acpmap

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Values returns the values of a form by field name. It returns an error if a value is
// invalid or a required one is missing. It ignores values that were not asked for. The
// error is meant for the agent, and does not contain the values.
func Values(e *agent.QuestionAsked, content map[string]json.RawMessage) (map[string]agent.Raw, error) {
	values := make(map[string]agent.Raw, len(e.Fields))
	for i := range e.Fields {
		f := &e.Fields[i]
		raw, ok := content[f.Name]
		if !ok || string(raw) == "null" {
			if f.Required {
				return nil, fmt.Errorf("the answer has no %q", f.Name)
			}
			continue
		}
		value, err := fieldValue(f, raw)
		if err != nil {
			return nil, fmt.Errorf("%q of the answer %w", f.Name, err)
		}
		values[f.Name] = v1.AppendValue(nil, value)
	}
	return values, nil
}

// fieldValue parses and checks a field's value.
func fieldValue(f *agent.Field, raw json.RawMessage) (any, error) {
	switch f.Type {
	case agent.FieldBoolean:
		var v bool
		if exactjson.Unmarshal(raw, &v) != nil {
			return nil, errors.New("is not true or false")
		}
		return v, nil
	case agent.FieldNumber, agent.FieldInteger:
		return number(f, raw)
	case agent.FieldChoices:
		return chosen(f, raw)
	}
	var v string
	if exactjson.Unmarshal(raw, &v) != nil {
		return nil, errors.New("is not a string")
	}
	if f.Type == agent.FieldChoice {
		if !offers(f, v) {
			return nil, errors.New("is not one of the options")
		}
		return v, nil
	}
	switch n := utf8.RuneCountInString(v); {
	case f.MinLength != nil && n < *f.MinLength, f.Required && v == "":
		return nil, errors.New("is too short")
	case f.MaxLength != nil && n > *f.MaxLength:
		return nil, errors.New("is too long")
	}
	return v, nil
}

// number parses and checks a number. It keeps the number's text, because a float cannot
// hold every large integer.
func number(f *agent.Field, raw json.RawMessage) (any, error) {
	var v json.Number
	if raw[0] == '"' || exactjson.Unmarshal(raw, &v) != nil {
		return nil, errors.New("is not a number")
	}
	n, err := v.Float64()
	if err != nil {
		return nil, errors.New("is not a valid number")
	}
	if f.Type == agent.FieldInteger {
		if _, err := v.Int64(); err != nil {
			if n != math.Trunc(n) || math.Abs(n) > 1<<53 {
				return nil, errors.New("is not a whole number")
			}
			v = json.Number(strconv.FormatInt(int64(n), 10)) // 3.0 and 3e2 are whole numbers
		}
	}
	switch {
	case f.Minimum != nil && n < *f.Minimum:
		return nil, errors.New("is too small")
	case f.Maximum != nil && n > *f.Maximum:
		return nil, errors.New("is too large")
	}
	return v, nil
}

// chosen parses and checks a choice of several options.
func chosen(f *agent.Field, raw json.RawMessage) (any, error) {
	list, err := v1.Strings(raw, f.Name)
	if err != nil {
		return nil, errors.New("is not a list of strings")
	}
	out := make([]string, 0, len(list))
	for _, v := range list {
		if !offers(f, v) {
			return nil, errors.New("is not one of the options")
		}
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	switch {
	case f.MinItems != nil && len(out) < *f.MinItems, f.Required && len(out) == 0:
		return nil, errors.New("has too few options")
	case f.MaxItems != nil && len(out) > *f.MaxItems:
		return nil, errors.New("has too many options")
	}
	return out, nil
}

func offers(f *agent.Field, value string) bool {
	return slices.ContainsFunc(f.Options, func(o agent.FieldOption) bool { return o.Value == value })
}

// FieldValue converts text answers to the values of a question that was asked in the
// form returned by [Single].
func FieldValue(e *agent.QuestionAsked, answers []string) (map[string]agent.Raw, error) {
	f := &e.Fields[0]
	var value any
	switch f.Type {
	case agent.FieldChoices:
		list := make([]string, 0, len(answers))
		for _, answer := range answers {
			list = append(list, valueOf(f, answer))
		}
		value = list
	case agent.FieldChoice:
		value = valueOf(f, strings.Join(answers, ", "))
	case agent.FieldBoolean:
		value = answers
		if len(answers) == 1 && (answers[0] == yes || answers[0] == no) {
			value = answers[0] == yes
		}
	case agent.FieldNumber, agent.FieldInteger:
		text := strings.TrimSpace(strings.Join(answers, ", "))
		value = text
		if n := json.Number(text); text != "" && json.Valid([]byte(text)) && strings.ContainsRune("-0123456789", rune(text[0])) {
			value = n
		}
	default:
		value = strings.Join(answers, ", ")
	}
	return Values(e, map[string]json.RawMessage{f.Name: v1.AppendValue(nil, value)})
}

// valueOf returns the value of the option with a title, or the title itself if there is
// no such option.
func valueOf(f *agent.Field, title string) string {
	for _, o := range f.Options {
		if o.Title == title || o.Title == "" && o.Value == title {
			return o.Value
		}
	}
	return title
}
