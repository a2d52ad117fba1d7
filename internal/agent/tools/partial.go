package tools

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/linediff"
)

// maxRefused limits how much of a refused change a result shows, in characters.
const maxRefused = 4000

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

// refusedPart returns the end of a call's result, which says what the user refused of the
// proposed text. It is empty if all of it was written.
func refusedPart(written, proposed string) string {
	if written == proposed {
		return ""
	}
	var b strings.Builder
	for _, hunk := range linediff.Compare(written, proposed) {
		b.WriteString("@@\n")
		for _, l := range hunk {
			b.WriteByte(" -+"[l.Kind])
			b.WriteString(strings.TrimSuffix(l.Text, "\n") + "\n")
		}
	}
	return " The user accepted only a part of the change. This is the rest, as a diff from the file to the proposed text. " +
		"The user refused it, so don't write it in another way.\n" + clip(b.String(), maxRefused)
}
