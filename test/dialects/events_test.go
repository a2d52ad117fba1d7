package dialects

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent/dialects"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// document is made by these tests, but for what stands before and between its
// generated parts.
var document = filepath.Join("..", "..", "docs", "events.md")

func TestTheDocumentOfEventsIsWhatTheCodeDoes(t *testing.T) {
	committed, err := os.ReadFile(document)
	require.NoError(t, err)
	text := string(committed)
	text = replaced(t, text, "native", native(t))
	text = replaced(t, text, "dialects", table(t))
	if *update {
		require.NoError(t, os.WriteFile(document, []byte(text), 0o644))
		return
	}
	require.Equal(t, text, string(committed), "docs/events.md is stale: run make generate")
}

// replaced puts a generated part between the lines that mark its place.
func replaced(t *testing.T, text, name, part string) string {
	t.Helper()
	begin, end := "<!-- "+name+":begin -->\n", "<!-- "+name+":end -->\n"
	head, rest, ok := strings.Cut(text, begin)
	require.True(t, ok, "docs/events.md has no %s", begin)
	_, tail, ok := strings.Cut(rest, end)
	require.True(t, ok, "docs/events.md has no %s", end)
	return head + begin + part + end + tail
}

// table makes a table for each dialect that has golden files.
func table(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, d := range dialects.All() {
		if len(d.Types()) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n<details><summary><b>%s</b>: %d events</summary>\n\n", d.Name, len(d.Types()))
		out.WriteString("| event | canonical events | ACP version 1 |\n|---|---|---|\n")
		for _, name := range d.Types() {
			l, ok := variant(t, d, name)
			if ok {
				fmt.Fprintf(&out, "| `%s` | %s | %s |\n", name, cell(l.types), shown(t, l))
			}
		}
		out.WriteString("\n</details>\n")
	}
	out.WriteString("\n")
	return out.String()
}

// variant is what becomes of the golden line of a type. Where there is none
// another test says so.
func variant(t *testing.T, d dialect.Dialect, name string) (line, bool) {
	t.Helper()
	path, ok := golden(t, d, variants)[fileName(name)]
	if !ok {
		return line{}, false
	}
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	lines := decode(t, d, section(t, archive, "in")).lines
	return lines[len(lines)-1], true
}

// shown names what an editor gets for a line, or else, in parentheses, what it
// gets if it asks.
func shown(t *testing.T, l line) string {
	t.Helper()
	if len(l.v1) > 0 || len(l.asked) == 0 {
		return cell(names(t, l.v1))
	}
	return "(" + cell(names(t, l.asked)) + ")"
}

func names(t *testing.T, lines []string) []string {
	t.Helper()
	var names []string
	for _, text := range lines {
		m := parse(t, text)
		switch {
		case m.Error != nil:
			names = append(names, "error")
		case m.Method == "":
			names = append(names, m.Result.StopReason)
		case m.Params.Update.Type != "":
			names = append(names, m.Params.Update.Type)
		default:
			names = append(names, m.Method)
		}
	}
	return names
}

// cell lists names once each, in their order.
func cell(names []string) string {
	var once []string
	for _, n := range names {
		if quoted := "`" + n + "`"; !slices.Contains(once, quoted) {
			once = append(once, quoted)
		}
	}
	if len(once) == 0 {
		return "–"
	}
	return strings.Join(once, ", ")
}
