package agent

import "github.com/turnwire/turnwire/internal/rawjson"

// Text is a string in an event, in its JSON encoding, so that what an agent
// streams is passed on without being decoded and encoded again. [NewText]
// encodes a plain string, and the String method decodes it; encoding/json reads
// and writes a Text as a string. These are the only ways to create one, so a
// Text is always valid JSON.
type Text = rawjson.Text

// NewText returns s as a [Text]. Bytes that are not valid UTF-8 become U+FFFD.
func NewText(s string) Text { return rawjson.NewText(s) }
