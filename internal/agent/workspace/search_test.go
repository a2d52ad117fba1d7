package workspace

import (
	"fmt"
	"strings"
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
	require.Equal(t, "search_files", start.ToolName)
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
	require.Contains(t, c.failure("/search "+strings.Repeat("x", maxExpression+1)), "longer than")
}

func TestSearchIsBounded(t *testing.T) {
	c := open(t, map[string]string{
		"many":  strings.Repeat("hit\n", maxHits+1),
		"large": strings.Repeat("x", maxFile+1),
	})
	result := c.search("hit")
	require.Equal(t, maxHits, strings.Count(result, ": hit\n"))
	require.Contains(t, result, "there may be more")
	end := one[*agent.ToolEnd](t, c.turn("/search hit"))
	require.Len(t, end.Locations, maxHitPlaces)

	put(t, c.path("many"), strings.Repeat("hit\n", maxHits))
	require.NotContains(t, c.search("hit"), "there may be more", "exactly as many as there is room for")

	put(t, c.path("many"), strings.Repeat("é", 10*maxHitText))
	require.Contains(t, c.search("é"), ": "+strings.Repeat("é", maxHitText)+"…\n")
}

func TestAWalkIsBounded(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth+2)
	c := open(t, map[string]string{deep + "x": "needle", "a": "needle"})
	require.Equal(t, "a:1: needle\n\n1 line in 1 file; the search stopped there, and there may be more matches.\n", c.search("needle"))

	for i := range 10 {
		put(t, c.path(fmt.Sprintf("e/%d", i)), "")
	}
	f := newFiles(agent.Options{Cwd: c.dir})
	p, err := f.find("e")
	require.NoError(t, err)
	entries, all, err := p.readDir(9)
	require.NoError(t, err)
	require.Len(t, entries, 9)
	require.False(t, all)
	_, all, err = p.readDir(10)
	require.NoError(t, err)
	require.True(t, all)
}
