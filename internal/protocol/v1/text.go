package v1

import "github.com/turnwire/turnwire/internal/rawjson"

// Text is a text in its JSON form. An agent's output is passed on in this form, without
// being decoded and encoded again. It is always valid JSON; see [NewText].
type Text = rawjson.Text

// NewText returns s as a [Text]. Invalid UTF-8 is replaced by U+FFFD.
func NewText(s string) Text { return rawjson.NewText(s) }
