package tools

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

var errNamesDir = errors.New("names a directory, not a file")

// change computes a new version of a file, shows the diff, asks, and writes what it has
// shown, or the part of it that the user accepts. If a file outside the session's
// directories can't be changed, it asks all the same, because the reason would reveal what
// the file contains.
func (c *call) change(typed string, edit func(old version) (string, error)) Result {
	p, old, text, err := c.prepare(typed, edit)
	if err != nil && !p.outside {
		c.start()
		return c.fail(err)
	}
	c.view.Locations = []agent.Location{{Path: p.path()}}
	if err == nil {
		c.view.Locations[0].Line = firstChange(old.text, text)
		diff := agent.Diff{Path: p.path(), NewText: text}
		if old.exists {
			diff.OldText = &old.text
		}
		c.view.Diffs = []agent.Diff{diff}
	}
	name := p.name()
	if p.outside {
		name = p.outsideName()
	}
	c.ready()
	if err := c.confirm(p.path(), "This changes "+name+".", "changes to "+quoted(name, "this file")); err != nil {
		return c.fail(err)
	}
	proposed := text
	if c.accepted != nil && err == nil {
		text, err = c.acceptPart(p, old)
	}
	c.start()
	if err != nil {
		return c.fail(err)
	}
	if err := c.box.files.save(c.turn.Context(), p, old, text); err != nil {
		return c.fail(err)
	}
	did := "Changed"
	if !old.exists {
		did = "Created"
	}
	return c.succeed(fmt.Sprintf("%s %s: it has %s now.", did, p.name(), Size(int64(len(text)))) + refusedPart(text, proposed))
}

// prepare computes the change. If it returns an error, the location may still be known.
func (c *call) prepare(typed string, edit func(old version) (string, error)) (p location, old version, text string, err error) {
	fail := func(err error) (location, version, string, error) { return p, version{}, "", err }
	if strings.HasSuffix(typed, "/") || strings.HasSuffix(typed, string(os.PathSeparator)) {
		return fail(fmt.Errorf("%s %w", typed, errNamesDir))
	}
	p, err = c.box.files.find(typed)
	if err = cmp.Or(err, p.unresolved); err != nil {
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
