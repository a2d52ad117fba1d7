package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/turnwire/turnwire/internal/app/setup"
	"github.com/turnwire/turnwire/internal/linediff"
)

// showChange prints the lines that a change adds to a file and removes from it.
func showChange(w io.Writer, p paint, c setup.Change, path string) {
	what := c.File.Title
	switch {
	case c.Before == nil:
		what += ", a new file"
	case c.After == nil:
		what += ", which is removed"
	}
	fmt.Fprintf(w, "%s %s\n", p.bold(path), p.dim("("+what+")"))
	for i, hunk := range linediff.Compare(string(c.Before), string(c.After)) {
		if i > 0 {
			fmt.Fprintln(w, p.dim("  ⋯"))
		}
		for _, line := range hunk {
			fmt.Fprintln(w, diffLine(p, line))
		}
	}
	fmt.Fprintln(w)
}

func diffLine(p paint, line linediff.Line) string {
	text, ended := strings.CutSuffix(line.Text, "\n")
	text = revealed(strings.TrimSuffix(text, "\r"))
	if !ended {
		text += p.dim(" (no newline at the end)")
	}
	switch line.Kind {
	case linediff.Added:
		return p.good("+ " + text)
	case linediff.Removed:
		return p.bad("- " + text)
	}
	return "  " + text
}

// revealed escapes control characters, so that a terminal doesn't interpret them.
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
