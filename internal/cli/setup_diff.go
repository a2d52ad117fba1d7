package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"

	"github.com/turnwire/turnwire/internal/setup"
)

// showChange shows what a change does to a file, line by line.
func showChange(w io.Writer, p paint, c setup.Change, path string) {
	before, after := string(c.Before), string(c.After)
	what := c.File.Title
	switch {
	case c.Before == nil:
		what += ", a new file"
	case c.After == nil:
		what += ", which is removed"
	}
	fmt.Fprintf(w, "%s %s\n", p.bold(path), p.dim("("+what+")"))
	diff, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), udiff.DefaultContextLines)
	if err != nil {
		// Edits fit the text that they were made from.
		fmt.Fprintln(w, p.dim("  (the change cannot be shown)"))
		return
	}
	for i, hunk := range diff.Hunks {
		if i > 0 {
			fmt.Fprintln(w, p.dim("  ⋯"))
		}
		for _, line := range hunk.Lines {
			fmt.Fprintln(w, diffLine(p, line))
		}
	}
	fmt.Fprintln(w)
}

func diffLine(p paint, line udiff.Line) string {
	text, ended := strings.CutSuffix(line.Content, "\n")
	text = revealed(strings.TrimSuffix(text, "\r"))
	if !ended {
		text += p.dim(" (no newline at the end)")
	}
	switch line.Kind {
	case udiff.Insert:
		return p.good("+ " + text)
	case udiff.Delete:
		return p.bad("- " + text)
	}
	return "  " + text
}

// revealed is a line for a terminal, which must not act upon what is in it.
func revealed(line string) string {
	var out strings.Builder
	for _, r := range line {
		if r == '\t' || unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		out.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return out.String()
}
