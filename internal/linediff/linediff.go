// Package linediff compares two texts line by line.
//
// Contract:
//
//   - The lines that stay and those that are removed make up the old text. The
//     lines that stay and those that are added make up the new text, byte for
//     byte. Only unchanged lines far from any change are omitted.
//   - A hunk has at most three unchanged lines on either side of a change. Hunks
//     that would touch are joined.
//   - Equal texts have no hunks.
//   - The diff is short, but not always the shortest, because that would take
//     too long to find for texts with little in common.
package linediff

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// context is how many lines are shown around a change.
const context = 3

// A Kind is what happened to a line.
type Kind uint8

// The kinds of lines.
const (
	Stays Kind = iota
	Removed
	Added
)

// A Line is one line of a text, including its newline. The last line of a text may lack a
// newline.
type Line struct {
	Kind Kind
	Text string
	// Number is the line's number, from 1: in the old text if it was removed, otherwise
	// in the new text.
	Number int
}

// A Hunk is a group of changed lines with their context.
type Hunk []Line

// Compare returns the diff between two texts.
func Compare(before, after string) []Hunk {
	b, a := lines(before), lines(after)
	return hunks(b, a, lcs.DiffLines(b, a))
}

// Replace returns a diff that removes all of before and adds all of after. For different
// texts that is always correct, and takes no time.
func Replace(before, after string) []Hunk {
	if before == after {
		return nil
	}
	b, a := lines(before), lines(after)
	return hunks(b, a, []lcs.Diff{{End: len(b), ReplEnd: len(a)}})
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// hunks groups the edits into hunks. An edit joins the previous hunk if no unchanged line
// between them would be omitted.
func hunks(before, after []string, edits []lcs.Diff) []Hunk {
	var all []Hunk
	var h Hunk
	done := 0 // end of the lines of after that earlier edits cover
	for i, e := range edits {
		switch {
		case i == 0:
			h.add(Stays, after, max(0, e.ReplStart-context), e.ReplStart)
		case e.ReplStart-done <= 2*context:
			h.add(Stays, after, done, e.ReplStart)
		default:
			h.add(Stays, after, done, done+context)
			all, h = append(all, h), nil
			h.add(Stays, after, e.ReplStart-context, e.ReplStart)
		}
		h.add(Removed, before, e.Start, e.End)
		h.add(Added, after, e.ReplStart, e.ReplEnd)
		done = e.ReplEnd
	}
	if h == nil {
		return nil
	}
	h.add(Stays, after, done, min(done+context, len(after)))
	return append(all, h)
}

// add adds lines of a text, from start to end.
func (h *Hunk) add(kind Kind, text []string, start, end int) {
	for i := start; i < end; i++ {
		*h = append(*h, Line{kind, text[i], i + 1})
	}
}
