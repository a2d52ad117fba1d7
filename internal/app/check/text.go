package check

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/textwidth"
	"github.com/turnwire/turnwire/internal/visible"
)

// Text writes findings for people, in the style of compilers.
type Text struct {
	Out    io.Writer
	Name   string // the file or command that is checked
	Colour bool
	Width  int    // of the terminal, in columns; 0 if there is no terminal
	Docs   string // the base URL of the documents, with a trailing slash
}

// defaultWidth is how much of a line is shown without a terminal, in columns.
const defaultWidth = 100

func (t *Text) paint(s ansi.Style, text string) string {
	if !t.Colour {
		return text
	}
	return s.Apply(text)
}

func (t *Text) severity(s lint.Severity, text string) string {
	switch s {
	case lint.Error:
		return t.paint(ansi.BoldRed, text)
	case lint.Warning:
		return t.paint(ansi.Yellow, text)
	case lint.Note:
	}
	return t.paint(ansi.Cyan, text)
}

// Finding implements [Writer].
func (t *Text) Finding(f lint.Finding) error {
	var b strings.Builder
	b.WriteString(t.severity(f.Severity, fmt.Sprintf("%s[%s]", f.Severity, f.Rule)))
	b.WriteString(t.paint(ansi.Bold, ": "+visible.Text(f.Message)) + "\n")
	number := ""
	if f.Line > 0 {
		number = strconv.Itoa(f.Line)
		place := fmt.Sprintf("%s:%d", t.Name, f.Line)
		if f.Column > 0 {
			place += fmt.Sprintf(":%d", f.Column)
		}
		if f.Path != "" {
			place += "  " + visible.Text(f.Path)
		}
		b.WriteString(strings.Repeat(" ", len(number)) + t.paint(ansi.Faint, "--> ") + visible.Text(place) + "\n")
	}
	bar := strings.Repeat(" ", len(number)+1) + t.paint(ansi.Faint, "|")
	if f.Text != "" {
		shown, before, marked := t.excerpt(f)
		fmt.Fprintf(&b, "%s\n%s %s\n", bar, t.paint(ansi.Faint, number+" |"), shown)
		if f.To > f.From || f.Column > 0 {
			fmt.Fprintf(&b, "%s %s%s\n", bar, strings.Repeat(" ", before), t.severity(f.Severity, strings.Repeat("^", max(1, marked))))
		}
	}
	if f.Help != "" {
		fmt.Fprintf(&b, "%s %s %s\n", strings.Repeat(" ", len(number)+1), t.paint(ansi.Faint, "= help:"), visible.Text(f.Help))
	}
	if see := See(f.Rule); see != "" && f.Severity != lint.Note {
		fmt.Fprintf(&b, "%s %s %s\n", strings.Repeat(" ", len(number)+1), t.paint(ansi.Faint, "= see: "), t.Docs+see)
	}
	if len(f.Kit) > 0 {
		fmt.Fprintf(&b, "%s %s %s\n", strings.Repeat(" ", len(number)+1), t.paint(ansi.Faint, "= acp-tck:"), strings.Join(f.Kit, ", "))
	}
	b.WriteString("\n")
	_, err := io.WriteString(t.Out, b.String())
	return err
}

// excerpt returns the part of the line around the finding, how many columns precede the
// marked part, and how many columns it has.
func (t *Text) excerpt(f lint.Finding) (shown string, before, marked int) {
	room := defaultWidth
	if t.Width > 0 {
		room = max(30, t.Width-12)
	}
	head, mark, tail := visible.Text(f.Text[:f.From]), visible.Text(f.Text[f.From:f.To]), visible.Text(f.Text[f.To:])
	cutHead, cutTail := f.CutBefore, f.CutAfter
	for textwidth.Width(head) > room*2/5 && textwidth.Width(head)+textwidth.Width(mark)+min(10, textwidth.Width(tail)) > room {
		_, size := firstRune(head)
		head, cutHead = head[size:], true
	}
	if cutHead {
		head = "…" + head
	}
	left := room - textwidth.Width(head)
	if textwidth.Width(mark) > left {
		mark, tail, cutTail = fit(mark, left), "", true
	}
	left -= textwidth.Width(mark)
	if textwidth.Width(tail) > left {
		tail, cutTail = fit(tail, left), true
	}
	if cutTail {
		tail += "…"
	}
	return head + mark + tail, textwidth.Width(head), textwidth.Width(mark)
}

func firstRune(s string) (rune, int) {
	for i, r := range s {
		if i > 0 {
			return r, i
		}
	}
	return 0, len(s)
}

// fit returns the longest prefix of text that fits in room columns.
func fit(text string, room int) string {
	width := 0
	for i, r := range text {
		if width += textwidth.Width(string(r)); width > room {
			return text[:i]
		}
	}
	return text
}

// End implements [Writer].
func (t *Text) End(s Summary) error {
	text := fmt.Sprintf("%s: %s, %s, %s", visible.Text(t.Name), count(s.Errors, "error"), count(s.Warnings, "warning"), count(s.Notes, "note"))
	if s.Lines > 0 {
		text += " in " + count(s.Lines, "line")
	}
	look := ansi.Green
	if s.Errors > 0 {
		look = ansi.BoldRed
	} else if s.Warnings > 0 {
		look = ansi.Yellow
	}
	_, err := fmt.Fprintln(t.Out, t.paint(look, text))
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
