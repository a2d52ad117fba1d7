package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnwire/turnwire/internal/textwidth"
)

// maxHow is the largest width of the column "REACHED BY", in cells.
const maxHow = 32

// An agentsTable is the list of agents for a terminal. No row is wider than width cells.
type agentsTable struct {
	list    []listed
	missing []string // names of common agents that are not installed
	paint   paint
	width   int
}

func (t *agentsTable) write(w io.Writer) error {
	name, how := len("NAME"), len("REACHED BY")
	for _, l := range t.list {
		name = max(name, textwidth.Width(l.Name))
		how = min(max(how, textwidth.Width(printable(l.How))), maxHow)
	}
	// With long names, the column "REACHED BY" gets less room.
	how = max(min(how, t.width-name-len("  NOW  ")-20), 8)
	row := func(cells ...string) string {
		line := padded(cells[0], name) + "  " + padded(cells[1], len("NOW")) + "  " + padded(textwidth.Truncate(cells[2], how, "…"), how) + "  " + cells[3]
		return strings.TrimRight(textwidth.Truncate(line, t.width, "…"), " ")
	}
	if _, err := fmt.Fprintln(w, t.paint.bold(row("NAME", "NOW", "REACHED BY", "WHAT IT IS"))); err != nil {
		return err
	}
	indent := strings.Repeat(" ", name+len("  NOW  "))
	for _, l := range t.list {
		now := map[string]func(string) string{"yes": t.paint.good, "no": t.paint.bad, "?": t.paint.warn}[l.now()]
		lines := []string{row(l.Name, now(l.now()), printable(l.How), l.what())}
		if l.now() != "yes" {
			for _, detail := range textwidth.Fold(printable(l.Detail), max(t.width-len(indent), 20)) {
				lines = append(lines, indent+t.paint.dim(detail))
			}
		}
		if _, err := fmt.Fprintln(w, strings.Join(lines, "\n")); err != nil {
			return err
		}
	}
	if len(t.missing) == 0 {
		return nil
	}
	text := "Not installed: " + strings.Join(t.missing, ", ") + ". turnwire agents add NAME adds one."
	_, err := fmt.Fprintln(w, "\n"+t.paint.dim(strings.Join(textwidth.Fold(text, max(t.width, 20)), "\n")))
	return err
}

// padded pads a cell with spaces.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-textwidth.Width(text)))
}
