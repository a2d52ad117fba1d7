package edit

import (
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Argument names in the known frameworks.
var (
	pathKeys = []string{
		"path", "file_path", "filePath", "filepath", "abs_path", "absolute_path", "target_file", "filename", "file",
		"relative_path", "notebook_path",
	}
	textKeys  = []string{"content", "contents", "text", "file_text", "fileText", "file_content"}
	listKeys  = []string{"edits", "replacements", "changes"}
	patchKeys = []string{"input", "patch", "patchText", "patch_text", "diff", "content"}
	pairKeys  = [...][2]string{
		{"old_text", "new_text"}, {"oldText", "newText"}, {"old_string", "new_string"}, {"oldString", "newString"}, {"old_str", "new_str"},
	}
	// partKeys name a part of a file. Text next to them is not the whole file.
	partKeys = []string{
		"line", "start_line", "startLine", "end_line", "insert_line", "offset", "range", "position", "owner", "repo", "branch",
	}
)

// Path returns the name of the argument that holds the path, or "".
func Path(a toolargs.Args) string { return a.First(pathKeys...) }

// Of returns the changes that a call with these arguments would make, or nil if
// it makes none.
func Of(name string, a toolargs.Args) []Change {
	if a == nil || a.True("dry_run", "dryRun") {
		return nil
	}
	path := Path(a) // the argument's name: most calls only read, and need no copy
	is := nameOf(name)
	if changes, ok := command(a, path); ok {
		return changes
	}
	if path != "" {
		if s, ok := pair(a); ok {
			return []Change{{Path: a.Text(path), steps: []step{s}}}
		}
	}
	if changes := list(a, path); changes != nil {
		return changes
	}
	if changes := notebook(a); changes != nil {
		return changes
	}
	switch {
	case path == "" && a.Value("command") != nil:
		return script(a.Value("command"))
	case is == patches:
		if key := a.First(patchKeys...); key != "" {
			return Patch(a.Text(key), a.Text(path))
		}
	case path == "" || is == unknown || a.Value(partKeys...) != nil:
	case is == appends || a.True("append") || strings.HasPrefix(string(a.Value("mode")), `"a`):
		if text, ok := a.String(textKeys...); ok {
			return []Change{{Path: a.Text(path), steps: []step{&appended{text}}}}
		}
	case is == writes:
		if text, ok := a.String(textKeys...); ok {
			return []Change{{Path: a.Text(path), steps: []step{&whole{text}}}}
		}
	}
	return nil
}

// pair returns the replacement in the arguments, if there is one.
func pair(a toolargs.Args) (*replacement, bool) {
	for _, k := range pairKeys {
		if !a.Is(k[0]) || !a.Is(k[1]) {
			continue
		}
		s := &replacement{old: a.Text(k[0]), text: a.Text(k[1])}
		s.all = a.True("replace_all", "replaceAll", "allow_multiple", "global")
		if n, ok := a.Int("expected_replacements", "expectedReplacements"); ok && n > 0 {
			s.count = n
		}
		return s, true
	}
	return nil, false
}

// list returns the changes of a list of replacements. Each may name its own
// file.
func list(a toolargs.Args, path string) []Change {
	raw := a.Value(listKeys...)
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	var out []Change
	var room [8]toolargs.Member
	for one := range rawjson.Elements(raw) {
		members := toolargs.Parse(room[:0], one)
		s, ok := pair(members)
		at := members.Text(Path(members))
		if at == "" {
			at = a.Text(path)
		}
		if !ok || at == "" {
			return nil
		}
		if n := len(out); n > 0 && out[n-1].Path == at {
			out[n-1].steps = append(out[n-1].steps, s)
		} else {
			out = append(out, Change{Path: at, steps: []step{s}})
		}
		if len(out) > maxChanges || len(out[len(out)-1].steps) > maxChanges {
			return nil
		}
	}
	return out
}

// command returns the change of an editor tool with subcommands. ok reports
// whether the arguments have that shape.
func command(a toolargs.Args, path string) (changes []Change, ok bool) {
	if path == "" {
		return nil, false
	}
	var s step
	switch string(a.Value("command")) {
	case `"create"`, `"write"`:
		text, is := a.String(textKeys...)
		if !is {
			return nil, false
		}
		s = &whole{text}
	case `"str_replace"`:
		if p, is := pair(a); is {
			s = p
		} else if old, is := a.String("old_str"); is { // without a new text, the old one is removed
			s = &replacement{old: old}
		}
	case `"insert"`:
		n, is := a.Int("insert_line")
		text, has := a.String("insert_text", "new_str")
		if is && has && n >= 0 {
			s = &inserted{n, text}
		}
	case `"view"`, `"undo_edit"`:
		return nil, true
	}
	if s == nil {
		return nil, false
	}
	return []Change{{Path: a.Text(path), steps: []step{s}}}, true
}

// script returns the changes of an apply_patch command, as Codex runs it.
func script(raw []byte) []Change {
	if len(raw) == 0 || raw[0] != '[' {
		return nil
	}
	n, patches := 0, false
	for one := range rawjson.Elements(raw) {
		n++
		switch {
		case n == 1:
			patches = string(one) == `"apply_patch"` || string(one) == `"applypatch"`
		case n == 2 && patches:
			text, err := rawjson.Parse(one)
			if err == nil {
				return Patch(text.String(), "")
			}
		}
		if !patches {
			break
		}
	}
	return nil
}
