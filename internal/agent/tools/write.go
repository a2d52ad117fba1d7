package tools

import (
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/agent"
)

// A WriteArgs is the arguments of [WriteFile].
type WriteArgs struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

type writeTask WriteArgs

func (k writeTask) view() agent.View { return editView("Write", k.Path) }

func (k writeTask) run(c *call) Result {
	return c.change(k.Path, func(old version) (string, error) {
		if k.Content == nil {
			return "", errors.New("content is missing")
		}
		return withEndingsOf(old.text, *k.Content), nil
	})
}

// An AppendArgs is the arguments of [AppendFile].
type AppendArgs struct {
	Path string `json:"path"`
	Text string `json:"text"` // becomes a new line
}

type appendTask AppendArgs

func (k appendTask) view() agent.View { return editView("Append to", k.Path) }

func (k appendTask) run(c *call) Result {
	return c.change(k.Path, func(old version) (string, error) {
		return appendLine(old.text, k.Text), nil
	})
}

// An EditArgs is the arguments of [EditFile].
type EditArgs struct {
	Path  string `json:"path"`
	Edits []Edit `json:"edits"`
}

// An Edit replaces the only occurrence of a text.
type Edit struct {
	OldText string `json:"old_text"`
	NewText string `json:"new_text"`
}

type editTask EditArgs

func (k editTask) view() agent.View { return editView("Edit", k.Path) }

func (k editTask) run(c *call) Result {
	return c.change(k.Path, func(old version) (string, error) {
		if !old.exists {
			return "", errMissing
		}
		return k.apply(old.text)
	})
}

// apply returns the text after all edits, which follow one another.
func (k editTask) apply(text string) (_ string, err error) {
	if len(k.Edits) == 0 {
		return "", errors.New("edits is missing")
	}
	for i, e := range k.Edits {
		switch e.OldText {
		case "":
			err = errors.New("old_text is missing")
		case e.NewText:
			err = errors.New("old_text and new_text are the same")
		default:
			text, err = replaceOnly(text, e.OldText, e.NewText)
		}
		if err != nil && len(k.Edits) > 1 {
			err = fmt.Errorf("edit %d: %w", i+1, err)
		}
		if err != nil {
			return "", err
		}
	}
	return text, nil
}

func editView(verb, path string) agent.View {
	return agent.View{Title: verb + " " + Shorten(path, 80), Kind: "edit"}
}
