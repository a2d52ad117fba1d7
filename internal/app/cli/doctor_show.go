package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"

	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/app/doctor"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// A chart prints findings in columns.
type chart struct {
	out   io.Writer
	paint paint
	home  string
	width int  // of the terminal; 0 means unlimited
	live  bool // the progress line can be erased
}

// nameWidth is the minimum width of the name column, so that the groups line up.
const nameWidth = 14

func examine(ctx context.Context, w io.Writer, o doctor.Options) error {
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	c := chart{out: w, paint: paint(t.Colour), home: o.Machine.Home}
	if isatty.IsTerminal(os.Stdout.Fd()) {
		c.width, c.live = t.Width(), !t.Dumb
	}
	well := doctor.Examine(ctx, o, c)
	if well {
		fmt.Fprintln(w, c.paint.good("Everything is OK."))
	} else {
		fmt.Fprintf(w, "%s: see %s above.\n", c.paint.bad("Some checks failed"), c.paint.bad("✗"))
	}
	return verdict(well)
}

// Begins implements [doctor.Listener]. It shows progress, because an agent's turn may
// take minutes.
func (c chart) Begins(group string) {
	fmt.Fprintln(c.out, c.paint.bold(group))
	c.progress()
}

// Notes implements [doctor.Listener].
func (c chart) Notes(f doctor.Finding) {
	c.rows([]doctor.Finding{f})
	c.progress()
}

// Ends implements [doctor.Listener].
func (c chart) Ends(findings []doctor.Finding) {
	c.rows(findings)
	fmt.Fprintln(c.out)
}

func (c chart) progress() {
	if c.live {
		fmt.Fprint(c.out, c.paint.dim("  … checking (Ctrl-C stops)"))
	}
}

// rows replaces the progress line with findings.
func (c chart) rows(findings []doctor.Finding) {
	if c.live {
		fmt.Fprint(c.out, "\r"+ansi.EraseLine)
	}
	marks := map[doctor.Status]string{
		doctor.OK:      c.paint.good("✓"),
		doctor.Note:    c.paint.dim("–"),
		doctor.Warning: c.paint.warn("!"),
		doctor.Failed:  c.paint.bad("✗"),
	}
	width := nameWidth
	for _, f := range findings {
		width = max(width, textwidth.Width(printable(f.Name)))
	}
	for _, f := range findings {
		name := printable(f.Name)
		name += strings.Repeat(" ", width-textwidth.Width(name))
		c.row("  "+marks[f.Status]+" "+name+"  ", f.Detail)
		if f.Advice != "" {
			c.row(strings.Repeat(" ", width+6)+c.paint.dim("→")+" ", f.Advice)
		}
	}
}

// row prints text after head. If the terminal is too narrow, it folds the text into a
// column.
func (c chart) row(head, text string) {
	text = printable(text)
	if c.home != "" {
		text = strings.ReplaceAll(text, c.home+"/", "~/")
	}
	indent := textwidth.Width(head)
	rows := []string{text}
	if c.width > indent+nameWidth {
		rows = textwidth.Fold(text, c.width-indent)
	}
	fmt.Fprintln(c.out, head+strings.Join(rows, "\n"+strings.Repeat(" ", indent)))
}
