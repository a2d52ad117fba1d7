package agent

// A Field is one value that a question asks for.
type Field struct {
	Name        string        `json:"name" jsonschema:"description=Names the value in the answer. No other field of the question has it."`
	Type        FieldType     `json:"type,omitempty" jsonschema:"description=Absent: choice where there are options and string otherwise. choices means any number of the options."`
	Title       string        `json:"title,omitempty" jsonschema:"description=What the user reads. Absent: the name."`
	Description string        `json:"description,omitempty"`
	Required    bool          `json:"required,omitempty" jsonschema:"description=The question cannot be answered without this value."`
	Secret      bool          `json:"secret,omitempty" jsonschema:"description=A string that nobody should read along. Editors without forms are not asked for it."`
	Default     Raw           `json:"default,omitempty" jsonschema:"description=What the field holds at first; of the field's type. It is no answer by itself."`
	Options     []FieldOption `json:"options,omitempty" jsonschema:"description=What can be chosen."`
	Format      string        `json:"format,omitempty" jsonschema:"enum=email,enum=uri,enum=date,enum=date-time,description=What a string looks like."`
	Pattern     string        `json:"pattern,omitempty" jsonschema:"description=A regular expression for a string. Editors check it; Turnwire does not."`
	MinLength   *int          `json:"minLength,omitempty" jsonschema:"minimum=0,description=Characters in a string."`
	MaxLength   *int          `json:"maxLength,omitempty" jsonschema:"minimum=0"`
	Minimum     *float64      `json:"minimum,omitempty" jsonschema:"description=The smallest number."`
	Maximum     *float64      `json:"maximum,omitempty"`
	MinItems    *int          `json:"minItems,omitempty" jsonschema:"minimum=0,description=How many options must be chosen."`
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
	Value       string `json:"value" jsonschema:"description=What the answer holds."`
	Title       string `json:"title,omitempty" jsonschema:"description=What the user reads. Absent: the value."`
	Description string `json:"description,omitempty"`
}
