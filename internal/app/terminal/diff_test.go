package terminal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/ansi"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestTheLinesOfADiffHaveNumbersIfTheyAreKnown(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for name, c := range map[string]struct {
		before, after string
		meta          v1.Meta
		want          []string
	}{
		"a whole file": {
			ten, strings.Replace(ten, "9\n", "", 1), nil,
			[]string{"6   6", "7   7", "8   8", "9 - 9", "9   10"},
		},
		"a part without its line": {"a", "b", nil, []string{"- a (no newline at the end)", "+ b (no newline at the end)"}},
		"a part with its line": {
			"a\nb\n", "A\nb\n", v1.Meta{v1.LineMeta: 99.0},
			[]string{"    - a", " 99 + A", "100   b"},
		},
		"an impossible line": {"a\n", "b\n", v1.Meta{v1.LineMeta: -1.0}, []string{"1 - a", "1 + b"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := diffRows(style{}, &v1.DiffItem{Path: "/x", OldText: &c.before, NewText: c.after, Meta: c.meta})
			require.Equal(t, c.want, rows[1:])
		})
	}
}

// A hunk may begin within a comment.
func TestTheCodeOfADiffIsColoured(t *testing.T) {
	before := "/*\n" + strings.Repeat("if\n", 9) + "*/\nif a {\n"
	after := strings.Replace(strings.Replace(before, "if\n*/", "for\n*/", 1), "a", "\"\x1b\"", 1)
	rows := diffRows(style{colour: true}, &v1.DiffItem{Path: "/x.go", OldText: &before, NewText: after})
	require.Contains(t, rows[1], ansi.Faint.Apply("if"))
	require.Contains(t, rows, ansi.Faint.Apply("10 ")+ansi.Green.Apply("+ ")+ansi.Faint.Apply("for"))
	require.Contains(t, rows, ansi.Faint.Apply("12 ")+ansi.Green.Apply("+ ")+ansi.Magenta.Apply("if")+ansi.Green.Apply(" ")+ansi.Yellow.Apply(`"\x1b"`)+ansi.Green.Apply(" {"))
}
