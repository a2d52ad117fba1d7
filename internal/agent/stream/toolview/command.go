package toolview

import "github.com/turnwire/turnwire/internal/agent/stream/toolargs"

// Command returns the command in a tool's arguments, unchanged, or "". A list
// of arguments is returned as JSON.
func Command(raw []byte) string {
	a := toolargs.Parse(nil, raw)
	for _, key := range []string{"command", "cmd"} {
		switch v := a.Value(key); {
		case len(v) > 0 && v[0] == '"':
			return a.Text(key)
		case len(v) > 0 && v[0] == '[':
			return string(v)
		}
	}
	return ""
}
