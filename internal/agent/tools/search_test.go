package tools

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func (d *desk) search(pattern string) string {
	d.t.Helper()
	r := d.call(Search, `{"pattern":"`+pattern+`"}`)
	require.True(d.t, r.OK, r.Text)
	return r.Text
}

// countdown is a context that ends after a number of queries.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestASearchEndsWithItsContextWhereverItIs(t *testing.T) {
	d := newDesk(t, map[string]string{"a/x": "1\n2\n3\n", "b/y": "1\n"})
	ended := false
	for checks := range 100 {
		finder, err := newFinder(searchTask{Pattern: "."})
		require.NoError(t, err)
		ctx := &countdown{t.Context(), checks}
		_, err = d.box.files.walk(ctx, finder.visitor(ctx))
		if err == nil {
			ended = true
			require.Equal(t, 4, finder.hits)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
	}
	require.True(t, ended)
}

func TestSearchIsBounded(t *testing.T) {
	d := newDesk(t, map[string]string{
		"many":  strings.Repeat("hit\n", maxHits+1),
		"large": strings.Repeat("x", maxFile+1),
	})
	result := d.search("hit")
	require.Equal(t, maxHits, strings.Count(result, ": hit\n"))
	require.Contains(t, result, "there may be more")
	end, ok := d.events[len(d.events)-1].(*agent.ToolEnd)
	require.True(t, ok)
	require.Len(t, end.Locations, maxHitPlaces)

	d.write("many", strings.Repeat("hit\n", maxHits))
	require.NotContains(t, d.search("hit"), "there may be more", "exactly as many as there is room for")

	d.write("many", strings.Repeat("é", 10*maxHitText))
	require.Contains(t, d.search("é"), ": "+strings.Repeat("é", maxHitText)+"…\n")
	require.Contains(t, d.call(Search, `{"pattern":"`+strings.Repeat("x", maxExpression+1)+`"}`).Text, "longer than")
}

func TestAWalkIsBounded(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth+2)
	d := newDesk(t, map[string]string{deep + "x": "needle", "a": "needle"})
	require.Equal(t, "a:1: needle\n\n1 line in 1 file; the search stopped there, and there may be more matches.\n", d.search("needle"))

	for i := range 10 {
		d.write(fmt.Sprintf("e/%d", i), "")
	}
	p, err := d.box.files.find("e")
	require.NoError(t, err)
	entries, all, err := p.readDir(9)
	require.NoError(t, err)
	require.Len(t, entries, 9)
	require.False(t, all)
	_, all, err = p.readDir(10)
	require.NoError(t, err)
	require.True(t, all)
}

func TestNumbersReadWell(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 34_560: "34.6 kB",
		999_960: "1.0 MB", 1_500_000_000: "1.5 GB", 5_000_000_000_000_000: "5000.0 TB",
	} {
		require.Equal(t, want, Size(n))
	}
}
