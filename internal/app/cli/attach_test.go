package cli

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/serve/control"
)

func TestSessionsThatMatchAreListed(t *testing.T) {
	all := []control.Session{{ID: "tw-1", Cwd: "/a\x1b"}, {ID: "tw-12", Cwd: "/b", Running: true}, {ID: "other"}}
	found, err := sessionAmong(all, "tw-1")
	require.NoError(t, err)
	require.Equal(t, "tw-1", found.ID, "the whole id is typed")
	_, err = sessionAmong(all, "tw")
	require.EqualError(t, err, "2 sessions match; name one of them:\n  tw-1  idle in /a�\n  tw-12  running in /b")

	all = nil
	for i := range 12 {
		all = append(all, control.Session{ID: "tw-" + strconv.Itoa(i)})
	}
	_, err = sessionAmong(all, "")
	require.Equal(t, 11, strings.Count(err.Error(), "\n"))
	require.ErrorContains(t, err, "and 2 more: see turnwire sessions live")
}
