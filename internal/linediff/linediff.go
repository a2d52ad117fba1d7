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
	done := 0 // end of the lines of before that earlier edits cover
	for i, e := range edits {
		switch {
		case i == 0:
			h.add(Stays, before[max(0, e.Start-context):e.Start])
		case e.Start-done <= 2*context:
			h.add(Stays, before[done:e.Start])
		default:
			h.add(Stays, before[done:done+context])
			all, h = append(all, h), nil
			h.add(Stays, before[e.Start-context:e.Start])
		}
		h.add(Removed, before[e.Start:e.End])
		h.add(Added, after[e.ReplStart:e.ReplEnd])
		done = e.End
	}
	if h == nil {
		return nil
	}
	h.add(Stays, before[done:min(done+context, len(before))])
	return append(all, h)
}

func (h *Hunk) add(kind Kind, texts []string) {
	for _, text := range texts {
		*h = append(*h, Line{Kind: kind, Text: text})
	}
}
