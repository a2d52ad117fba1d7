package v1

import "github.com/turnwire/turnwire/internal/rawjson"

// Text is a text as it stands in JSON: what an agent streams is passed on
// without being decoded and encoded again. It is always valid JSON; see
// [NewText].
type Text = rawjson.Text

// NewText returns s as a [Text]. Bytes that are not UTF-8 become U+FFFD.
func NewText(s string) Text { return rawjson.NewText(s) }
