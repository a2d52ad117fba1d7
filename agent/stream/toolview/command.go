package toolview

// Command returns the command that a tool with these arguments runs, as it was
// written, or "" if they name none. A list of arguments is returned as JSON.
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
