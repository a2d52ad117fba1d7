package spool_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/spool"
)

func TestRecordsAreReadAsTheyWereAdded(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	f := spool.New(folder)
	_, err := f.Record(0)
	require.Error(t, err)
	want := []string{"one", "", strings.Repeat("long ", 1<<20), "four"}
	for _, record := range want {
		require.NoError(t, f.Append([]byte(record)))
	}
	require.Equal(t, len(want), f.Len())
	for i := range want {
		got, err := f.Record(len(want) - 1 - i)
		require.NoError(t, err)
		require.Equal(t, want[len(want)-1-i], string(got))
	}
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left)
	require.Error(t, f.Append([]byte("late")))
}

func TestWithoutAFolderNothingIsStored(t *testing.T) {
	var f spool.File
	require.Error(t, f.Append([]byte("x")))
	require.Zero(t, f.Len())
	require.NoError(t, f.Close())
}
