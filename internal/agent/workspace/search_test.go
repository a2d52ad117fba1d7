package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func (c *client) search(arguments string) string {
	c.t.Helper()
	end := one[*agent.ToolEnd](c.t, c.turn("/search "+arguments))
	require.True(c.t, end.OK, end.Error)
	return end.Result.String()
}

func TestSearchFindsLines(t *testing.T) {
	c := open(t, map[string]string{
		"a.go":               "package a\r\n\n\tfunc  Foo() {}\n",
		"sub/b.go":           "func Bar() {}",
		"sub/c.md":           "a func here",
		"bin":                "func\x00",
		".git/x":             "func",
		"node_modules/m/x":   "func",
		"sub/node_modules/y": "func",
	})
	s := c.turn(`/search "func +[A-Z]"`)
	start, end := one[*agent.ToolStart](t, s), one[*agent.ToolEnd](t, s)
	require.Equal(t, "search", start.ToolName)
	require.Equal(t, "search", start.Kind)
	require.JSONEq(t, `{"pattern":"func +[A-Z]"}`, string(start.Args))
	require.Equal(t, "a.go:3: \tfunc  Foo() {}\nsub/b.go:1: func Bar() {}\n\n2 lines in 3 files; 1 file too large or without text.\n",
		end.Result.String())
	require.Equal(t, []agent.Location{{Path: c.path("a.go"), Line: 3}, {Path: c.path("sub/b.go"), Line: 1}}, end.Locations)
}

func TestSearchTakesAGlob(t *testing.T) {
	c := open(t, map[string]string{"a.go": "x", "sub/b.go": "x", "sub/deep/c.go": "x", "sub/d.md": "x"})
	require.Contains(t, c.search("x *.go"), "3 lines in 3 files.")
	require.Contains(t, c.search("x sub/*.go"), "1 line in 1 file.")
	require.Contains(t, c.search("x sub/**/*.{go,md}"), "3 lines in 3 files.")
	require.Equal(t, "0 lines in 0 files.\n", c.search("x none"))
}

func TestSearchRefusesABadPattern(t *testing.T) {
	c := open(t, nil)
	require.Contains(t, c.failure("/search a("), "missing closing )")
	require.Contains(t, c.failure("/search (?=x)"), "invalid or unsupported Perl syntax")
	require.Contains(t, c.failure("/search x [a"), "syntax error in pattern")
}
