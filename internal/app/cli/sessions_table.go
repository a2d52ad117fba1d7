package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// A screen is where a command prints and asks questions.
type screen struct {
	in          io.Reader
	out, errors io.Writer
	width       int // of the terminal; 0 if there is no terminal
	paint       paint
	interactive bool // the user can be asked
	home        string
}

func screenOf(cmd *cobra.Command) screen {
	s := screen{in: cmd.InOrStdin(), out: cmd.OutOrStdout(), errors: cmd.ErrOrStderr()}
	s.home, _ = os.UserHomeDir() // only for shortening paths
	if s.out != os.Stdout {
		return s
	}
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	s.paint, s.interactive = paint(t.Colour), t.Interactive
	if isatty.IsTerminal(os.Stdout.Fd()) {
		s.width = t.Width()
	}
	return s
}

// A sessionTable prints sessions.
type sessionTable struct {
	screen
	now  time.Time
	all  bool // from all folders
	more bool // there are more than shown
}

func (t sessionTable) empty(q sessionQuery) error {
	text := "No sessions in this folder; --all lists those of all folders."
	switch {
	case q.agent != "":
		text = "No matching sessions of this agent."
	case q.all:
		text = "No sessions."
	}
	_, err := fmt.Fprintln(t.out, text)
	return err
}

func (t sessionTable) write(list []journal.Summary) error {
	out := bufio.NewWriter(t.out)
	if t.width == 0 {
		for _, s := range list {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%d\n", inLine(s.ID), inLine(s.Title), inLine(s.Agent), inLine(s.Cwd), s.Updated.UTC().Format(time.RFC3339), s.Size)
		}
		return out.Flush()
	}
	ids := shortIDs(list)
	rows := [][]string{{"ID", "TITLE", "AGENT", "FOLDER", "CHANGED", "SIZE"}}
	for i, s := range list {
		title := inLine(s.Title)
		if title == "" {
			title = "-"
		}
		rows = append(rows, []string{ids[i], title, inLine(agents.NameOfKey(s.Agent)), short(inLine(s.Cwd), t.home), age(t.now.Sub(s.Updated)), size(s.Size)})
	}
	if !t.all {
		for i, r := range rows {
			rows[i] = append(r[:folderColumn:folderColumn], r[folderColumn+1:]...)
		}
	}
	widths := t.widths(rows)
	for i, r := range rows {
		fmt.Fprintln(out, t.row(r, widths, i == 0))
	}
	if t.more {
		fmt.Fprintln(out, t.paint.dim(textwidth.Truncate(fmt.Sprintf("Showing the newest %d; --limit shows more.", len(list)), t.width, "")))
	}
	return out.Flush()
}

// The columns of the table, and their widths while another column needs the space.
const (
	titleColumn  = 1
	agentColumn  = 2
	folderColumn = 3

	leastTitle = 12
	mostAgent  = 16
	gap        = "  "
)

// widths returns the column widths. Their sum fits the terminal, if that has room for
// anything.
func (t sessionTable) widths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	total := len(gap) * (len(widths) - 1)
	for i := range widths {
		for _, r := range rows {
			widths[i] = max(widths[i], textwidth.Width(r[i]))
		}
		total += widths[i]
	}
	shrink := func(column, least int) {
		excess := min(total-t.width, widths[column]-least)
		if excess > 0 {
			widths[column] -= excess
			total -= excess
		}
	}
	if t.all {
		shrink(folderColumn, max(len("FOLDER"), t.width/4))
	}
	shrink(titleColumn, max(leastTitle, t.width/3))
	shrink(agentColumn, mostAgent)
	shrink(titleColumn, leastTitle)
	shrink(agentColumn, len("AGENT"))
	if t.all {
		shrink(folderColumn, len("FOLDER"))
	}
	for total > t.width && len(widths) > titleColumn+1 {
		last := len(widths) - 1 // a truncated number would be wrong
		total -= len(gap) + widths[last]
		widths = widths[:last]
	}
	return widths
}

func (t sessionTable) row(cells []string, widths []int, head bool) string {
	var b strings.Builder
	for i, cell := range cells[:len(widths)] {
		if i > 0 {
			b.WriteString(gap)
		}
		if t.all && i == folderColumn && !head {
			cell = truncateLeft(cell, widths[i])
		} else {
			cell = textwidth.Truncate(cell, widths[i], "…")
		}
		space := strings.Repeat(" ", max(0, widths[i]-textwidth.Width(cell)))
		last := i == len(cells)-1
		switch {
		case head:
			cell = t.paint.dim(cell)
		case i == titleColumn:
			cell = t.paint.bold(cell)
		case i != 0:
			cell = t.paint.dim(cell)
		}
		if last {
			b.WriteString(space + cell) // right-align numbers
		} else {
			b.WriteString(cell + space)
		}
	}
	return textwidth.Truncate(b.String(), t.width, "")
}

// truncateLeft shortens a path to limit cells. It keeps the end, which says more than the
// beginning.
func truncateLeft(path string, limit int) string {
	if textwidth.Width(path) <= limit {
		return path
	}
	for i := range path {
		if i > 0 && textwidth.Width(path[i:]) < limit {
			return "…" + path[i:]
		}
	}
	return "…"
}

// shortLength is the minimum length of a shortened id, in bytes.
const shortLength = 8

// shortIDs returns the shortest prefixes that tell the ids of a list apart.
func shortIDs(list []journal.Summary) []string {
	short := make([]string, len(list))
	for i, s := range list {
		id := inLine(s.ID)
		n := shortLength
		for j, other := range list {
			if i != j {
				n = max(n, common(id, inLine(other.ID))+1)
			}
		}
		if n = min(n, len(id)); strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			n = len(id) // a prefix may cut a character
		}
		short[i] = textwidth.Truncate(id[:n], 36, "")
	}
	return short
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// age formats how long ago something happened.
func age(d time.Duration) string {
	const day = 24 * time.Hour
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{365 * day, "y"}, {30 * day, "mo"}, {day, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= unit.length {
			return fmt.Sprintf("%d%s ago", d/unit.length, unit.name)
		}
	}
	return "just now"
}

// size formats a number of bytes.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 999_500:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n < 999_500_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
