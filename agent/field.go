package agent

// A Field is one value that a question asks for.
type Field struct {
	Name        string        `json:"name" jsonschema:"description=The name of the value in the answer. It is unique within the question."`
	Type        FieldType     `json:"type,omitempty" jsonschema:"description=Default: choice if there are options, otherwise string. choices allows any number of options."`
	Title       string        `json:"title,omitempty" jsonschema:"description=The label. Default: the name."`
	Description string        `json:"description,omitempty"`
	Required    bool          `json:"required,omitempty" jsonschema:"description=The question can't be answered without this value."`
	Secret      bool          `json:"secret,omitempty" jsonschema:"description=A string that the editor hides during input, such as a password. It is only requested from editors with forms."`
	Default     Raw           `json:"default,omitempty" jsonschema:"description=The initial value, of the field's type. The user must still submit it."`
	Options     []FieldOption `json:"options,omitempty" jsonschema:"description=The options to choose from."`
	Format      string        `json:"format,omitempty" jsonschema:"enum=email,enum=uri,enum=date,enum=date-time,description=The format of a string."`
	Pattern     string        `json:"pattern,omitempty" jsonschema:"description=A regular expression for a string. Editors check it, Turnwire doesn't."`
	MinLength   *int          `json:"minLength,omitempty" jsonschema:"minimum=0,description=The minimum length of a string, in characters."`
	MaxLength   *int          `json:"maxLength,omitempty" jsonschema:"minimum=0"`
	Minimum     *float64      `json:"minimum,omitempty" jsonschema:"description=The minimum of a number."`
	Maximum     *float64      `json:"maximum,omitempty"`
	MinItems    *int          `json:"minItems,omitempty" jsonschema:"minimum=0,description=The minimum number of selected options."`
	MaxItems    *int          `json:"maxItems,omitempty" jsonschema:"minimum=0"`
}

// A FieldType is the type of a field's value.
type FieldType string

// The types of fields. A choice's value is the value of the chosen option; the
// value of choices is a list of them.
const (
	FieldString  FieldType = "string"
	FieldNumber  FieldType = "number"
	FieldInteger FieldType = "integer"
	FieldBoolean FieldType = "boolean"
	FieldChoice  FieldType = "choice"
	FieldChoices FieldType = "choices"
)

// Known reports whether t is one of the defined types.
func (t FieldType) Known() bool {
	switch t {
	case FieldString, FieldNumber, FieldInteger, FieldBoolean, FieldChoice, FieldChoices:
		return true
	}
	return false
}

// A FieldOption is one option of a choice.
type FieldOption struct {
	Value       string `json:"value" jsonschema:"description=The value in the answer."`
	Title       string `json:"title,omitempty" jsonschema:"description=The label. Default: the value."`
	Description string `json:"description,omitempty"`
}
