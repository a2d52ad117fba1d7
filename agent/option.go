package agent

import (
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An Option is a session setting that the user can change: the mode, the
// model, or anything else that the agent offers.
type Option struct {
	ID          string        `json:"id" jsonschema:"description=The option's id in set_option."`
	Name        string        `json:"name"`
	Description string        `json:"description,omitempty"`
	Category    string        `json:"category,omitempty" jsonschema:"description=The category: mode, model, model_config or thought_level. Custom categories begin with _."`
	Kind        OptionKind    `json:"kind"`
	Value       Value         `json:"value" jsonschema:"description=The current value: the id of a choice, or true or false."`
	Choices     []Choice      `json:"choices,omitempty" jsonschema:"description=The choices of a select."`
	Groups      []ChoiceGroup `json:"groups,omitempty" jsonschema:"description=The choices of a select, in groups."`
}

// An OptionKind is the kind of an option's value.
type OptionKind string

// The kinds of options.
const (
	Select  OptionKind = "select"
	Boolean OptionKind = "boolean"
)

// A Choice is a mode, a model, or another value of an option.
type Choice struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// A ChoiceGroup is a group of choices.
type ChoiceGroup struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Choices []Choice `json:"choices"`
}

// The ids of the options that [ModeChanged] and [ModelChanged] report. They
// are also the options' categories.
const (
	OptionMode  = "mode"
	OptionModel = "model"
)

// Offers reports whether v is a valid value of the option.
func (o *Option) Offers(v Value) bool {
	if o.Kind == Boolean {
		return v.Boolean
	}
	for c := range o.Each {
		if v == Chosen(c.ID) {
			return true
		}
	}
	return false
}

// Each yields all choices in order, including those in groups.
func (o *Option) Each(yield func(Choice) bool) {
	for _, c := range o.Choices {
		if !yield(c) {
			return
		}
	}
	for _, g := range o.Groups {
		for _, c := range g.Choices {
			if !yield(c) {
				return
			}
		}
	}
}

// A Value is an option's value: one of its choices, or on or off.
type Value struct {
	Choice  string // the id of the choice
	Boolean bool   // the value is On, not Choice
	On      bool
}

// Chosen returns a value that selects a choice.
func Chosen(id string) Value { return Value{Choice: id} }

// Switched returns a boolean value.
func Switched(on bool) Value { return Value{Boolean: true, On: on} }

// String returns the value as shown to users.
func (v Value) String() string {
	switch {
	case !v.Boolean:
		return v.Choice
	case v.On:
		return "on"
	}
	return "off"
}

// MarshalJSON encodes the value as a string, true or false.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Boolean {
		return strconv.AppendBool(nil, v.On), nil
	}
	return rawjson.AppendString([]byte(nil), v.Choice), nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Value) UnmarshalJSON(b []byte) error {
	var value any
	if err := exactjson.Unmarshal(b, &value); err != nil {
		return err
	}
	switch value := value.(type) {
	case nil:
	case string:
		*v = Chosen(value)
	case bool:
		*v = Switched(value)
	default:
		return errors.New("the value of an option is a string, true or false")
	}
	return nil
}
