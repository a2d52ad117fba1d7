package ahp

// An InputRequest is a request for the user's input.
type InputRequest struct {
	ID        string            `json:"id"`
	Message   string            `json:"message,omitempty"`
	URL       string            `json:"url,omitempty"`
	Questions []Question        `json:"questions,omitempty"`
	Answers   map[string]Answer `json:"answers,omitempty"`
}

// A Question is one field of a request. Min and Max bound its length, value or number
// of choices, depending on its kind.
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

// An InputOption is one of the offered choices.
type InputOption struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

// An Answer is a draft, a final answer, or skipped.
type Answer struct {
	State          string       `json:"state"`
	Value          *AnswerValue `json:"value,omitempty"`
	FreeformValues []string     `json:"freeformValues,omitempty"`
}

// AnswerSkipped is the state of a skipped answer.
const AnswerSkipped = "skipped"

// An AnswerValue is the value of an answer: a text, a number, a boolean, an id, or a
// list of ids.
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
