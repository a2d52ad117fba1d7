package toolview

// Command is the command that a tool with these arguments runs, as it was
// written; empty where none is named. One in parts is given as its JSON.
func Command(raw []byte) string {
	a := arguments(nil, raw)
	for _, key := range []string{"command", "cmd"} {
		switch v := a.value(key); {
		case len(v) > 0 && v[0] == '"':
			return a.text(key)
		case len(v) > 0 && v[0] == '[':
			return string(v)
		}
	}
	return ""
}
