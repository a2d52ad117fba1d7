package ahp

// An InputRequest asks the user.
type InputRequest struct {
	ID        string            `json:"id"`
	Message   string            `json:"message,omitempty"`
	URL       string            `json:"url,omitempty"`
	Questions []Question        `json:"questions,omitempty"`
	Answers   map[string]Answer `json:"answers,omitempty"`
}

// A Question is one field of a request. Min and Max are lengths, values or counts,
// as its kind has it.
type Question struct {
	ID                 string        `json:"id"`
	Kind               string        `json:"kind"`
	Title              string        `json:"title,omitempty"`
	Message            string        `json:"message"`
	Required           bool          `json:"required,omitempty"`
	Format             string        `json:"format,omitempty"`
	Min                *float64      `json:"min,omitempty"`
	Max                *float64      `json:"max,omitempty"`
	DefaultValue       any           `json:"defaultValue,omitempty"`
	Options            []InputOption `json:"options,omitzero"`
	AllowFreeformInput bool          `json:"allowFreeformInput,omitempty"`
}

// Kinds of a [Question].
const (
	AskText    = "text"
	AskNumber  = "number"
	AskInteger = "integer"
	AskBoolean = "boolean"
	AskOne     = "single-select"
	AskMany    = "multi-select"
)

// An InputOption is one that can be chosen.
type InputOption struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

// An Answer is a draft, an answer, or skipped.
type Answer struct {
	State          string       `json:"state"`
	Value          *AnswerValue `json:"value,omitempty"`
	FreeformValues []string     `json:"freeformValues,omitempty"`
}

// AnswerSkipped is the state of an answer that is none.
const AnswerSkipped = "skipped"

// An AnswerValue is what was answered: a text, a number, a boolean, an id or ids.
type AnswerValue struct {
	Kind           string   `json:"kind"`
	Value          any      `json:"value"`
	FreeformValues []string `json:"freeformValues,omitempty"`
}

// How a request was answered.
const (
	Accept  = "accept"
	Decline = "decline"
	Cancel  = "cancel"
)
