package workspace

import (
	"github.com/turnwire/turnwire/agent"
)

// writeStep replaces the content of a file.
type writeStep struct{ path, text string }

type writeArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

func (s writeStep) run(t *turn) outcome {
	c := t.newCall("write_file", writeArgs{s.path, s.text}, editView("Write", s.path))
	return c.change(s.path, func(old version) (string, error) {
		return withEndingsOf(old.text, s.text), nil
	})
}

// appendStep adds text as a line at the end of a file.
type appendStep struct{ path, text string }

type appendArgs struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

func (s appendStep) run(t *turn) outcome {
	c := t.newCall("append_file", appendArgs{s.path, s.text}, editView("Append to", s.path))
	return c.change(s.path, func(old version) (string, error) {
		return appendLine(old.text, s.text), nil
	})
}

// editStep replaces the only occurrence of a text in a file.
type editStep struct{ path, before, after string }

type editArgs struct {
	Path    string `json:"path"`
	OldText string `json:"old_text"`
	NewText string `json:"new_text"`
}

func (s editStep) run(t *turn) outcome {
	c := t.newCall("edit_file", editArgs{s.path, s.before, s.after}, editView("Edit", s.path))
	return c.change(s.path, func(old version) (string, error) {
		if !old.exists {
			return "", errMissing
		}
		return replaceOnly(old.text, s.before, s.after)
	})
}

func editView(verb, path string) agent.View {
	return agent.View{Title: verb + " " + shorten(path, 80), Kind: "edit"}
}
