package journal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// This writes enough for several syncs in the background. The race detector watches
// them.
func TestRecordsWrittenDuringASyncAreSaved(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	j, err := f.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	data := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	const records = 20
	for range records {
		require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: data}}))
	}
	require.NoError(t, j.Sync())
	require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: "n", Data: []byte(`"last"`)}}))
	require.NoError(t, j.Close())
	got := all(t, f)
	require.Len(t, got, records+1)
	require.Equal(t, `"last"`, got[records])
}
