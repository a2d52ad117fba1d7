package tools

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

var errNamesDir = errors.New("names a directory, not a file")

// change computes a new version of a file, shows the diff, asks, and writes
// what it has shown.
func (c *call) change(typed string, edit func(old version) (string, error)) Result {
	p, old, text, err := c.prepare(typed, edit)
	if err != nil {
		c.start()
		return c.fail(err)
	}
	c.view.Locations = []agent.Location{{Path: p.path(), Line: firstChange(old.text, text)}}
	diff := agent.Diff{Path: p.path(), NewText: text}
	if old.exists {
		diff.OldText = &old.text
	}
	c.view.Diffs = []agent.Diff{diff}
	c.ready()
	if err := c.confirm(p.path(), "This changes "+p.name()+"."); err != nil {
		return c.fail(err)
	}
	c.start()
	if err := c.box.files.save(c.turn.Context(), p, old, text); err != nil {
		return c.fail(err)
	}
	did := "Changed"
	if !old.exists {
		did = "Created"
	}
	return c.succeed(fmt.Sprintf("%s %s: it has %s now.", did, p.name(), Size(int64(len(text)))))
}

// prepare computes the change.
func (c *call) prepare(typed string, edit func(old version) (string, error)) (p location, old version, text string, err error) {
	fail := func(err error) (location, version, string, error) { return location{}, version{}, "", err }
	if strings.HasSuffix(typed, "/") || strings.HasSuffix(typed, string(os.PathSeparator)) {
		return fail(fmt.Errorf("%s %w", typed, errNamesDir))
	}
	p, err = c.box.files.find(typed)
	if err != nil {
		return fail(err)
	}
	old, err = c.box.files.load(c.turn.Context(), p)
	if err != nil {
		return fail(err)
	}
	text, err = edit(old)
	if err != nil {
		return fail(fmt.Errorf("%s: %w", p.name(), err))
	}
	if _, err := checked(p, text); err != nil {
		return fail(fmt.Errorf("the new text of %w", err))
	}
	return p, old, text, nil
}
