package agent

import "github.com/turnwire/turnwire/internal/rawjson"

// Text is a text of an event, as it stands in JSON: what an agent streams is
// passed on without being decoded and encoded again. [NewText] makes one of a
// plain string, its String method returns that, and encoding/json reads and
// writes it as a string. There is no other way to make one, and so none that is
// not valid JSON.
type Text = rawjson.Text

// NewText returns s as a [Text]. Bytes that are not UTF-8 become U+FFFD.
func NewText(s string) Text { return rawjson.NewText(s) }
