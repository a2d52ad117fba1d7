// Package linediff compares two texts line by line.
//
// Contract:
//
//   - The lines that stay and those that are removed make up the text before.
//     The lines that stay and those that are added make up the text after, byte
//     for byte. Only unchanged lines far from any change are left out.
//   - A hunk has at most three unchanged lines on either side of a change.
//     Hunks that would touch are joined.
//   - There is a hunk only if something changed.
//   - The difference is short, but need not be the shortest: for texts that have
//     little in common that would take too long to find.
package linediff

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// context is how many lines are shown around a change.
const context = 3

// A Kind says what happened to a line.
type Kind uint8

// The kinds of lines.
const (
	Stays Kind = iota
	Removed
	Added
)

// A Line is one line of a text, with the newline at its end if it has one: the
// last line of a text may have none.
type Line struct {
	Kind Kind
	Text string
}

// A Hunk is what changed in one place.
type Hunk []Line

// Compare returns the differences between two texts.
func Compare(before, after string) []Hunk {
	b, a := lines(before), lines(after)
	return hunks(b, a, lcs.DiffLines(b, a))
}

// Replace treats all of one text as removed, and all of the other as added. For
// different texts that is always correct, and takes no time.
func Replace(before, after string) []Hunk {
	if before == after {
		return nil
	}
	b, a := lines(before), lines(after)
	return hunks(b, a, []lcs.Diff{{End: len(b), ReplEnd: len(a)}})
}

func lines(text string) []string { return slices.Collect(strings.Lines(text)) }

// hunks groups the edits into hunks. An edit joins the previous hunk if no
// unchanged line between them would be left out.
func hunks(before, after []string, edits []lcs.Diff) []Hunk {
	var all []Hunk
	var h Hunk
	done := 0 // the lines of before that earlier edits have covered
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
