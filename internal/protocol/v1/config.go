package v1

import (
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// The values of "type" in a [ConfigOption].
const (
	ConfigSelect  = "select"
	ConfigBoolean = "boolean"
)

// ConfigOption is `SessionConfigOption`. An option of type "boolean" has no choices,
// and is only sent to clients with the capability session.configOptions.boolean.
type ConfigOption struct {
	ID           string        `json:"id"`
	Name         string        `json:"name"`
	Description  string        `json:"description,omitempty" jsonschema:"nullable"`
	Category     string        `json:"category,omitempty" jsonschema:"nullable"`
	Type         string        `json:"type" jsonschema:"enum=select,enum=boolean"`
	CurrentValue ConfigValue   `json:"currentValue"`
	Options      ConfigChoices `json:"options,omitzero"`
	Meta         Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ConfigChoices is `SessionConfigSelectOptions`: either a flat list or groups.
type ConfigChoices struct {
	Flat   []ConfigChoice
	Groups []ConfigGroup
}

// ConfigChoice is `SessionConfigSelectOption`.
type ConfigChoice struct {
	Value       string `json:"value"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty" jsonschema:"nullable"`
	Meta        Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ConfigGroup is `SessionConfigSelectGroup`.
type ConfigGroup struct {
	Group   string         `json:"group"`
	Name    string         `json:"name"`
	Options []ConfigChoice `json:"options"`
	Meta    Meta           `json:"_meta,omitempty" jsonschema:"nullable"`
}

// MarshalJSON implements [json.Marshaler].
func (c ConfigChoices) MarshalJSON() ([]byte, error) {
	if c.Groups != nil {
		return AppendValue(nil, c.Groups), nil
	}
	return AppendValue(nil, c.Flat), nil
}

// UnmarshalJSON implements [json.Unmarshaler]. The first element determines the form.
func (c *ConfigChoices) UnmarshalJSON(b []byte) error {
	var first []struct {
		Group *string `json:"group"`
	}
	if err := exactjson.Unmarshal(b, &first); err != nil {
		return err
	}
	if len(first) > 0 && first[0].Group != nil {
		return exactjson.Unmarshal(b, &c.Groups)
	}
	return exactjson.Unmarshal(b, &c.Flat)
}

// ConfigValue is an option's value: a boolean if Bool is set, otherwise a string.
type ConfigValue struct {
	ID   string
	Bool *bool
}

// MarshalJSON implements [json.Marshaler].
func (v ConfigValue) MarshalJSON() ([]byte, error) {
	if v.Bool != nil {
		return strconv.AppendBool(nil, *v.Bool), nil
	}
	return rawjson.AppendString([]byte(nil), v.ID), nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (v *ConfigValue) UnmarshalJSON(b []byte) error {
	var value any
	if err := exactjson.Unmarshal(b, &value); err != nil {
		return err
	}
	switch value := value.(type) {
	case string:
		v.ID = value
	case bool:
		v.Bool = &value
	default:
		return errors.New("a value is a string or a boolean")
	}
	return nil
}

// SetConfigOptionRequest is `SetSessionConfigOptionRequest`.
type SetConfigOptionRequest struct {
	SessionID string       `json:"sessionId"`
	ConfigID  string       `json:"configId"`
	Type      string       `json:"type,omitempty" jsonschema:"enum=boolean"`
	Value     *ConfigValue `json:"value"`
	Meta      Meta         `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetConfigOptionResponse is `SetSessionConfigOptionResponse`: all options with
// their current values.
type SetConfigOptionResponse struct {
	ConfigOptions []ConfigOption `json:"configOptions"`
	Meta          Meta           `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SessionModeState is `SessionModeState`.
type SessionModeState struct {
	CurrentModeID  string        `json:"currentModeId"`
	AvailableModes []SessionMode `json:"availableModes"`
	Meta           Meta          `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SessionMode is `SessionMode`.
type SessionMode struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty" jsonschema:"nullable"`
	Meta        Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetModeRequest is `SetSessionModeRequest`.
type SetModeRequest struct {
	SessionID string `json:"sessionId"`
	ModeID    string `json:"modeId"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SetModeResponse is `SetSessionModeResponse`.
type SetModeResponse struct {
	Meta Meta `json:"_meta,omitempty" jsonschema:"nullable"`
}
