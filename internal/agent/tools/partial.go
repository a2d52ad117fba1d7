package tools

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/edit"
)

// acceptPart returns the text that the user accepts for the file at p, and shows it
// instead of the proposed one.
func (c *call) acceptPart(p location, old version) (string, error) {
	diffs := c.view.Diffs
	if len(diffs) != 1 || len(c.accepted) != 1 || c.accepted[0].Path != diffs[0].Path {
		return "", fmt.Errorf("%w: the answer names other changes", ErrRefused)
	}
	text := c.accepted[0].Text
	if _, err := checked(p, text); err != nil {
		return "", fmt.Errorf("the accepted text of %w", err)
	}
	if old.exists && text == old.text {
		return "", fmt.Errorf("%w: none of the changes was accepted", ErrRefused)
	}
	// The receiver of earlier events has the slices.
	c.view.Diffs = []agent.Diff{{Path: diffs[0].Path, OldText: diffs[0].OldText, NewText: text}}
	c.view.Locations = []agent.Location{{Path: p.path(), Line: firstChange(old.text, text)}}
	return text, nil
}

// refusedPart returns the end of a call's result, which says what the user refused. It is
// empty if the written text is the proposed one.
func refusedPart(written, proposed string) string {
	if written == proposed {
		return ""
	}
	return "\nThe user refused the rest of the change, so don't make it in another way:\n" + edit.Refused(written, proposed)
}
