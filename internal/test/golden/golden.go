// Package golden compares results with files. If tests run with -update, it writes the
// files instead. Only tests may import it, because it registers that flag.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing them")

// File requires the file at path to contain text. With -update, it writes the file.
func File(t testing.TB, path, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text, "%s is stale: run this package's tests with -update", path)
}

// Each runs a subtest for each file that matches pattern. The subtest has the
// file's name without its extension. Each fails if no file matches.
func Each(t *testing.T, pattern string, test func(t *testing.T, path string)) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths, "no file matches %s", pattern)
	for _, path := range paths {
		t.Run(Name(path), func(t *testing.T) { test(t, path) })
	}
}

// Name returns a file's name without its folder and extension.
func Name(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
