package ahp

import (
	"encoding/json"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Prose is a `StringOrMarkdown`: a text for users.
type Prose struct {
	Text     string
	Markdown bool
}

// Plain returns a text that is not Markdown.
func Plain(text string) Prose { return Prose{Text: text} }

type markdown struct {
	Markdown string `json:"markdown"`
}

// MarshalJSON implements [json.Marshaler].
func (p Prose) MarshalJSON() ([]byte, error) {
	if p.Markdown {
		return json.Marshal(markdown{p.Text})
	}
	return json.Marshal(p.Text)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *Prose) UnmarshalJSON(data []byte) error {
	var m markdown
	if len(data) > 0 && data[0] == '{' {
		err := exactjson.Unmarshal(data, &m)
		*p = Prose{m.Markdown, true}
		return err
	}
	p.Markdown = false
	return exactjson.Unmarshal(data, &p.Text)
}
