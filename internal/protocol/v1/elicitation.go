package v1

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// The modes of an [ElicitationRequest].
const (
	ElicitForm = "form"
	ElicitURL  = "url"
)

// ElicitationRequest is `CreateElicitationRequest`, within a session. In mode "form" it
// has a RequestedSchema; in mode "url" it has an ElicitationID and a URL.
type ElicitationRequest struct {
	SessionID       string             `json:"sessionId"`
	ToolCallID      string             `json:"toolCallId,omitempty" jsonschema:"nullable"`
	Mode            string             `json:"mode" jsonschema:"enum=form,enum=url"`
	Message         string             `json:"message"`
	ElicitationID   string             `json:"elicitationId,omitempty"`
	URL             string             `json:"url,omitempty"`
	RequestedSchema *ElicitationSchema `json:"requestedSchema,omitempty"`
	Meta            Meta               `json:"_meta,omitempty" jsonschema:"nullable"`
}

// ElicitationSchema is `ElicitationSchema`.
type ElicitationSchema struct {
	Type        string                `json:"type" jsonschema:"enum=object"`
	Title       string                `json:"title,omitempty" jsonschema:"nullable"`
	Description string                `json:"description,omitempty" jsonschema:"nullable"`
	Properties  ElicitationProperties `json:"properties"`
	Required    []string              `json:"required,omitempty" jsonschema:"nullable"`
}

// ElicitationProperties are the named properties of a form. They keep the order of the
// JSON, because clients show them in that order.
type ElicitationProperties []NamedProperty

// A NamedProperty is a property and its name.
type NamedProperty struct {
	Name     string
	Property ElicitationProperty
}

// Get returns the property with a name, or nil.
func (ps ElicitationProperties) Get(name string) *ElicitationProperty {
	for i := range ps {
		if ps[i].Name == name {
			return &ps[i].Property
		}
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (ps ElicitationProperties) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, p := range ps {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendValue(append(rawjson.AppendString(dst, p.Name), ':'), p.Property)
	}
	return append(dst, '}'), nil
}

// UnmarshalJSON implements [json.Unmarshaler]. If two properties have the same name,
// the last one wins.
func (ps *ElicitationProperties) UnmarshalJSON(b []byte) error {
	var byName map[string]ElicitationProperty
	if err := readObject(b, &byName); err != nil {
		return err
	}
	out := make(ElicitationProperties, 0, len(byName))
	for o := rawjson.Walk(b); len(byName) > 0; {
		key, _, ok := o.Next()
		if !ok {
			break
		}
		name := rawjson.String(key).String()
		if p, ok := byName[name]; ok {
			out = append(out, NamedProperty{name, p})
			delete(byName, name)
		}
	}
	*ps = out
	return nil
}

// ElicitationProperty is `ElicitationPropertySchema`. Its Type is "string" (with
// Enum or OneOf for choices), "number", "integer", "boolean" or "array" (with
// Items).
type ElicitationProperty struct {
	Type        string            `json:"type"`
	Title       string            `json:"title,omitempty" jsonschema:"nullable"`
	Description string            `json:"description,omitempty" jsonschema:"nullable"`
	Format      string            `json:"format,omitempty" jsonschema:"enum=date,enum=date-time,enum=email,enum=uri"`
	Pattern     string            `json:"pattern,omitempty" jsonschema:"nullable"`
	MinLength   *int              `json:"minLength,omitempty" jsonschema:"nullable"`
	MaxLength   *int              `json:"maxLength,omitempty" jsonschema:"nullable"`
	Minimum     *float64          `json:"minimum,omitempty" jsonschema:"nullable"`
	Maximum     *float64          `json:"maximum,omitempty" jsonschema:"nullable"`
	MinItems    *int              `json:"minItems,omitempty" jsonschema:"nullable"`
	MaxItems    *int              `json:"maxItems,omitempty" jsonschema:"nullable"`
	Enum        []string          `json:"enum,omitempty" jsonschema:"nullable"`
	OneOf       []EnumOption      `json:"oneOf,omitempty" jsonschema:"nullable"`
	Items       *ElicitationItems `json:"items,omitempty"`
	Default     json.RawMessage   `json:"default,omitempty"`
	Meta        Meta              `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SecretMeta is the `_meta` member that marks a property whose value must be hidden
// while it is typed. ACP has no member for this.
const SecretMeta = "turnwire.dev/secret"

// EnumOption is `EnumOption`: a choice with a title.
type EnumOption struct {
	Const       string `json:"const"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty" jsonschema:"nullable"`
}

// ElicitationItems is `MultiSelectItems`: either plain choices (Type "string" with
// Enum), or AnyOf without a type.
type ElicitationItems struct {
	Type  string       `json:"type,omitempty" jsonschema:"enum=string"`
	Enum  []string     `json:"enum,omitempty"`
	AnyOf []EnumOption `json:"anyOf,omitempty"`
}

// The actions of an [ElicitationResponse].
const (
	ElicitAccept  = "accept"
	ElicitDecline = "decline"
	ElicitCancel  = "cancel"
)

// ElicitationResponse is `CreateElicitationResponse`.
type ElicitationResponse struct {
	Action  string                     `json:"action"`
	Content map[string]json.RawMessage `json:"content,omitempty" jsonschema:"nullable"`
	Meta    Meta                       `json:"_meta,omitempty" jsonschema:"nullable"`
}

// Strings returns the one or more strings in a property's value.
func (r ElicitationResponse) Strings(property string) ([]string, error) {
	raw, ok := r.Content[property]
	if !ok {
		return nil, fmt.Errorf("the answer has no %q", property)
	}
	return Strings(raw, property)
}

// Strings decodes a string or a list of strings. name is used in the error.
func Strings(raw json.RawMessage, name string) ([]string, error) {
	var one string
	if exactjson.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var many []string
	if err := exactjson.Unmarshal(raw, &many); err != nil {
		return nil, fmt.Errorf("the answer's %q is neither a string nor a list of strings: %w", name, err)
	}
	return many, nil
}

// CompleteElicitationNotification is `CompleteElicitationNotification`. It says that
// the user is done at an elicitation's URL.
type CompleteElicitationNotification struct {
	ElicitationID string `json:"elicitationId"`
	Meta          Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}
