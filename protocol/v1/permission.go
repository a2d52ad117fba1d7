package v1

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// RequestPermissionRequest is `RequestPermissionRequest`.
type RequestPermissionRequest struct {
	SessionID string             `json:"sessionId"`
	ToolCall  ToolCallUpdate     `json:"toolCall"`
	Options   []PermissionOption `json:"options"`
	Meta      Meta               `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PermissionOption is `PermissionOption`.
type PermissionOption struct {
	OptionID string               `json:"optionId"`
	Name     string               `json:"name"`
	Kind     PermissionOptionKind `json:"kind"`
	Meta     Meta                 `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PermissionOptionKind is `PermissionOptionKind`.
type PermissionOptionKind string

// The values of `PermissionOptionKind`.
const (
	AllowOnce    PermissionOptionKind = "allow_once"
	AllowAlways  PermissionOptionKind = "allow_always"
	RejectOnce   PermissionOptionKind = "reject_once"
	RejectAlways PermissionOptionKind = "reject_always"
)

// RequestPermissionResponse is `RequestPermissionResponse`.
type RequestPermissionResponse struct {
	Outcome PermissionOutcome `json:"outcome"`
	Meta    Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// PermissionOutcome is `RequestPermissionOutcome`: Outcome is "selected", with
// an OptionID, or "cancelled".
type PermissionOutcome struct {
	Outcome  string `json:"outcome"`
	OptionID string `json:"optionId,omitempty"`
	Meta     Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// The values of `outcome`.
const (
	OutcomeSelected  = "selected"
	OutcomeCancelled = "cancelled"
)

// Selected returns the id of the chosen option, or "" if none was chosen.
func (o PermissionOutcome) Selected() string {
	if o.Outcome != OutcomeSelected {
		return ""
	}
	return o.OptionID
}

// ElicitationRequest is `CreateElicitationRequest` in its form mode, within a
// session.
type ElicitationRequest struct {
	SessionID       string            `json:"sessionId"`
	ToolCallID      string            `json:"toolCallId,omitempty" jsonschema:"nullable"`
	Mode            string            `json:"mode" jsonschema:"enum=form"`
	Message         string            `json:"message"`
	RequestedSchema ElicitationSchema `json:"requestedSchema"`
	Meta            Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ElicitationSchema is `ElicitationSchema`.
type ElicitationSchema struct {
	Type       string                         `json:"type" jsonschema:"enum=object"`
	Title      string                         `json:"title,omitempty" jsonschema:"nullable"`
	Properties map[string]ElicitationProperty `json:"properties"`
	Required   []string                       `json:"required,omitempty" jsonschema:"nullable"`
}

// ElicitationProperty is `StringPropertySchema` (Type "string", with Enum for
// choices) or `MultiSelectPropertySchema` (Type "array", with Items).
type ElicitationProperty struct {
	Type        string            `json:"type"`
	Title       string            `json:"title,omitempty" jsonschema:"nullable"`
	Description string            `json:"description,omitempty" jsonschema:"nullable"`
	Enum        []string          `json:"enum,omitempty" jsonschema:"nullable"`
	Items       *ElicitationItems `json:"items,omitempty"`
}

// ElicitationItems is `StringMultiSelectItems`.
type ElicitationItems struct {
	Type string   `json:"type" jsonschema:"enum=string"`
	Enum []string `json:"enum"`
}

// ElicitationResponse is `CreateElicitationResponse`.
type ElicitationResponse struct {
	Action  string                     `json:"action"`
	Content map[string]json.RawMessage `json:"content,omitempty" jsonschema:"nullable"`
	Meta    Meta                       `json:"_meta,omitempty" jsonschema:"nullable"`
}

// Strings returns the value of a property: one string, or several.
func (r ElicitationResponse) Strings(property string) ([]string, error) {
	raw, ok := r.Content[property]
	if !ok {
		return nil, fmt.Errorf("the answer has no %q", property)
	}
	var one string
	if exactjson.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var many []string
	if err := exactjson.Unmarshal(raw, &many); err != nil {
		return nil, fmt.Errorf("the answer's %q is neither a string nor a list of strings: %w", property, err)
	}
	return many, nil
}
