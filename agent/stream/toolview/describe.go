package toolview

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

const maxTitle = 160 // runes

// Describe completes the view that the agent gave of a call to the tool name
// with the arguments raw. It makes paths absolute, relative to cwd. table may
// be nil.
func Describe(table Table, given agent.View, name string, raw []byte, cwd string) agent.View {
	known, ok := table.Find(name)
	var room [8]argument // enough for most calls, and not on the heap
	a := arguments(room[:0], raw)
	if !ok {
		known = guess(a)
	}
	path := a.text(known.Path)
	v := given
	if known.wins.kind {
		v.Kind = ""
	}
	if known.wins.title {
		v.Title = ""
	}
	if known.wins.path && path != "" {
		v.Locations = nil
	}
	if v.Kind == "" {
		v.Kind = known.Kind
	}
	if v.Kind == "" {
		v.Kind = "other"
	}
	if v.Title = oneLine(v.Title); v.Title == "" {
		v.Title = oneLine(title(known, name, a))
	}
	if v.Locations == nil && path != "" {
		v.Locations = []agent.Location{{Path: path, Line: a.line()}}
	}
	if v.Diffs == nil && path != "" {
		if from, to, ok := a.replacement(); ok {
			v.Diffs = []agent.Diff{{Path: path, OldText: &from, NewText: to}}
		}
	}
	absolute(&v, cwd)
	return v
}

func title(t Tool, name string, a args) string {
	subject := strings.TrimSpace(a.text(t.Subject))
	switch {
	case t.Verb == "" && strings.TrimSpace(name) == "":
		return "Tool call"
	case t.Verb == "":
		return name
	case subject == "":
		return t.Verb
	}
	return t.Verb + " " + subject
}

// args are the members of the arguments, still encoded.
type args []argument

type argument struct{ key, value []byte }

// arguments appends the members of raw to a. It returns nil if raw is not an
// object.
func arguments(a args, raw []byte) args {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	o := rawjson.Walk(raw)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		a = append(a, argument{key, value})
	}
	if o.Err() != nil {
		return nil
	}
	return a
}

// value returns the value of key. The last one counts.
func (a args) value(key string) []byte {
	for _, m := range slices.Backward(a) {
		if string(m.key) == key {
			return m.value
		}
	}
	return nil
}

// string returns the string value of key.
func (a args) string(key string) (s string, ok bool) {
	body, err := rawjson.Parse(a.value(key))
	return body.String(), err == nil
}

func (a args) text(key string) string {
	s, _ := a.string(key)
	return s
}

func (a args) first(keys ...string) (key string) {
	for _, k := range keys {
		if a.text(k) != "" {
			return k
		}
	}
	return ""
}

func (a args) line() int {
	for _, k := range []string{"line", "start_line", "offset"} {
		v := a.value(k)
		if v == nil {
			continue
		}
		if n, err := strconv.ParseFloat(string(v), 64); err == nil && n >= 1 && n < 1<<31 {
			return int(n)
		}
	}
	return 0
}

// replacement returns the text that is replaced and the new text.
func (a args) replacement() (from, to string, ok bool) {
	for _, k := range [][2]string{{"old_text", "new_text"}, {"oldText", "newText"}, {"old_string", "new_string"}} {
		from, okFrom := a.string(k[0])
		to, okTo := a.string(k[1])
		if okFrom && okTo {
			return from, to, true
		}
	}
	return "", "", false
}

// guess describes an unknown tool by the names of its arguments.
func guess(a args) Tool {
	path := a.first("path", "file_path", "filePath", "abs_path", "filename")
	if _, _, ok := a.replacement(); ok && path != "" {
		return Tool{Kind: "edit", Verb: "Edit", Subject: path, Path: path}
	}
	if k := a.first("command", "cmd"); k != "" {
		return Tool{Kind: "execute", Verb: "Run", Subject: k}
	}
	if k := a.first("url", "uri"); k != "" {
		return Tool{Kind: "fetch", Verb: "Fetch", Subject: k}
	}
	if k := a.first("pattern", "query", "regex"); k != "" {
		return Tool{Kind: "search", Verb: "Search for", Subject: k}
	}
	return Tool{Path: path}
}

func absolute(v *agent.View, cwd string) {
	// The slices may belong to the agent, so they are copied before they
	// change.
	if len(v.Locations) > 0 {
		v.Locations = append([]agent.Location(nil), v.Locations...)
		for i := range v.Locations {
			v.Locations[i].Path = under(cwd, v.Locations[i].Path)
		}
	}
	if len(v.Diffs) > 0 {
		v.Diffs = append([]agent.Diff(nil), v.Diffs...)
		for i := range v.Diffs {
			v.Diffs[i].Path = under(cwd, v.Diffs[i].Path)
		}
	}
}

func under(cwd, path string) string {
	if filepath.IsAbs(path) || cwd == "" {
		return path
	}
	return filepath.Join(cwd, path)
}

// oneLine joins the lines of a title: a user who is asked about a command must
// not see only a harmless first line.
func oneLine(s string) string {
	if strings.ContainsFunc(s, breaksLine) {
		lines := strings.FieldsFunc(s, breaksLine)
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		s = strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), " ⏎ ")
	}
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= maxTitle {
		return s
	}
	return string([]rune(s)[:maxTitle-1]) + "…"
}

// breaksLine reports whether some editor begins a new line after r.
func breaksLine(r rune) bool {
	switch r {
	case '\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}
