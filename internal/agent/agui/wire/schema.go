package wire

import (
	"encoding/json"
	"iter"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// schema is the part of a JSON Schema that a question or a form can represent.
type schema struct {
	Type        json.RawMessage   `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Default     json.RawMessage   `json:"default"`
	Enum        []json.RawMessage `json:"enum"`
	AnyOf       []schema          `json:"anyOf"`
	Items       *schema           `json:"items"`
	Properties  json.RawMessage   `json:"properties"` // in their order
	Required    []string          `json:"required"`
	Format      string            `json:"format"`
	MinLength   *int              `json:"minLength"`
	MaxLength   *int              `json:"maxLength"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
}

// maxFields limits the fields of a form.
const maxFields = 64

func parseSchema(raw json.RawMessage) schema {
	var s schema
	_ = exactjson.Unmarshal(raw, &s) // use the readable part
	return s
}

// approves reports whether the answer says whether something is approved.
func (s schema) approves() bool {
	for name := range s.properties() {
		if name == "approved" {
			return true
		}
	}
	return false
}

func (s schema) properties() iter.Seq2[string, schema] {
	return func(yield func(string, schema) bool) {
		if len(s.Properties) == 0 || s.Properties[0] != '{' {
			return
		}
		o := rawjson.Walk(s.Properties)
		for range maxFields {
			key, value, ok := o.Next()
			if !ok || !yield(rawjson.String(key).String(), parseSchema(value)) {
				return
			}
		}
	}
}

// kind returns the schema's type. A type that may also be null is that type.
func (s schema) kind() string {
	var names []string
	name := ""
	if exactjson.Unmarshal(s.Type, &name) != nil && exactjson.Unmarshal(s.Type, &names) == nil {
		for _, n := range names {
			if n != "null" {
				return n
			}
		}
	}
	if name == "" && len(s.Enum) > 0 {
		return "string"
	}
	return name
}

// simple returns the only schema that isn't null, if the schema is a choice of such.
func (s schema) simple() schema {
	var one *schema
	for i := range s.AnyOf {
		if s.AnyOf[i].kind() == "null" {
			continue
		}
		if one != nil {
			return s
		}
		one = &s.AnyOf[i]
	}
	if one == nil {
		return s
	}
	inner := *one
	if inner.Title == "" {
		inner.Title = s.Title
	}
	if inner.Description == "" {
		inner.Description = s.Description
	}
	return inner
}

// single is the name of the only field of a form for a value that is not an object.
const single = "answer"

// fill completes the question q for an answer of this schema, and returns how to convert
// the answer.
func (s schema) fill(q *agent.QuestionAsked) func([]conversation.Answer) agent.Raw {
	s = s.simple()
	for name, property := range s.properties() {
		f := property.simple().field(name)
		f.Required = slices.Contains(s.Required, name)
		q.Fields = append(q.Fields, f)
	}
	switch kind := s.kind(); {
	case len(q.Fields) > 0:
		return func(a []conversation.Answer) agent.Raw { return s.object(a[0].Response.Values) }
	case kind == "" || kind == "string" && len(s.Enum) == 0 || kind == "object":
		return func(a []conversation.Answer) agent.Raw {
			return rawjson.AppendString([]byte(nil), a[0].Response.Answer)
		}
	}
	f := s.field(single)
	f.Required = true
	q.Fields = []agent.Field{f}
	return func(a []conversation.Answer) agent.Raw { return s.value(a[0].Response.Values[single]) }
}

// field returns the field for a value of this schema. A value that no field can hold is
// entered as JSON.
func (s schema) field(name string) agent.Field {
	f := agent.Field{
		Name: name, Title: s.Title, Description: s.Description, Default: s.Default, Format: s.Format,
		MinLength: s.MinLength, MaxLength: s.MaxLength, Minimum: s.Minimum, Maximum: s.Maximum, Type: agent.FieldString,
	}
	if string(f.Default) == "null" {
		f.Default = nil
	}
	switch kind := s.kind(); {
	case len(s.Enum) > 0:
		f.Type, f.Options = agent.FieldChoice, choices(s.Enum)
	case kind == "boolean" || kind == "integer" || kind == "number":
		f.Type = agent.FieldType(kind)
	case kind == "array" && s.Items != nil && len(s.Items.Enum) > 0:
		f.Type, f.Options = agent.FieldChoices, choices(s.Items.Enum)
	case kind == "array" || kind == "object":
		f.Default = nil
		if f.Description == "" {
			f.Description = "JSON: an " + kind
		}
	}
	return f
}

func choices(values []json.RawMessage) []agent.FieldOption {
	var options []agent.FieldOption
	for _, v := range values {
		options = append(options, agent.FieldOption{Value: plain(v)})
	}
	return options
}

// plain returns a string as it is, and any other value as JSON.
func plain(v json.RawMessage) string {
	var text string
	if exactjson.Unmarshal(v, &text) == nil && string(v) != "null" {
		return text
	}
	return string(v)
}

// object returns the object of a form's values.
func (s schema) object(values map[string]agent.Raw) agent.Raw {
	object := make(map[string]agent.Raw)
	for name, property := range s.properties() {
		simple := property.simple()
		if v := simple.value(values[name]); v != nil {
			object[name] = v
		}
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return raw
}

// value converts a field's value back to what the schema describes.
func (s schema) value(v agent.Raw) agent.Raw {
	var text string
	if len(v) == 0 || exactjson.Unmarshal(v, &text) != nil {
		return s.values(v)
	}
	for _, e := range s.Enum {
		if plain(e) == text {
			return e
		}
	}
	if kind := s.kind(); (kind == "array" || kind == "object") && json.Valid([]byte(text)) {
		return agent.Raw(text)
	}
	return v
}

// values converts the chosen options of a list back.
func (s schema) values(v agent.Raw) agent.Raw {
	var list []string
	if s.Items == nil || len(v) == 0 || exactjson.Unmarshal(v, &list) != nil {
		return v
	}
	chosen := make([]agent.Raw, 0, len(list))
	for _, text := range list {
		quoted := agent.Raw(rawjson.AppendString([]byte(nil), text))
		chosen = append(chosen, s.Items.value(quoted))
	}
	raw, err := json.Marshal(chosen)
	if err != nil {
		return nil
	}
	return raw
}
