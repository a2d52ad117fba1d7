package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/failing"
)

// setUpdate sets -update until the test ends.
func setUpdate(t *testing.T, to bool) {
	t.Helper()
	before := *update
	t.Cleanup(func() { *update = before })
	*update = to
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestFileComparesTheWholeText(t *testing.T) {
	setUpdate(t, false)
	path := filepath.Join(t.TempDir(), "x.txt")
	require.True(t, failing.Fails(t, func(t testing.TB) { File(t, path, "one") }), "the file is missing")
	require.NoError(t, os.WriteFile(path, []byte("one\n"), 0o600))
	require.True(t, failing.Fails(t, func(t testing.TB) { File(t, path, "one") }))
	require.False(t, failing.Fails(t, func(t testing.TB) { File(t, path, "one\n") }))
	require.Equal(t, "one\n", read(t, path))
}

func TestUpdateWritesTheText(t *testing.T) {
	setUpdate(t, true)
	path := filepath.Join(t.TempDir(), "x.txt")
	File(t, path, "one")
	File(t, path, "two")
	require.Equal(t, "two", read(t, path))
}

func TestAnArchiveIsComparedWithItsResult(t *testing.T) {
	setUpdate(t, false)
	path := filepath.Join(t.TempDir(), "x.txtar")
	require.NoError(t, os.WriteFile(path, []byte("A comment.\n-- in --\n1\n-- out --\n2\n"), 0o600))
	result := func(out string) func(t testing.TB) {
		return func(t testing.TB) {
			a := Read(t, path)
			require.Equal(t, "A comment.\n", a.Comment())
			in, ok := a.Section("in")
			require.True(t, ok)
			_, ok = a.Section("other")
			require.False(t, ok)
			a.Add("in", in)
			a.Add("out", out)
			a.Check(t)
		}
	}
	require.False(t, failing.Fails(t, result("2\n")))
	require.True(t, failing.Fails(t, result("3\n")))
	setUpdate(t, true)
	require.False(t, failing.Fails(t, result("3\n")))
	require.Equal(t, "A comment.\n-- in --\n1\n-- out --\n3\n", read(t, path))
}

func TestEachRunsASubtestPerFile(t *testing.T) {
	require.Equal(t, "a.b", Name(filepath.Join("x", "a.b.txtar")))
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txtar"), nil, 0o600))
	var names []string
	Each(t, filepath.Join(dir, "*.txtar"), func(_ *testing.T, path string) { names = append(names, path) })
	require.Equal(t, []string{filepath.Join(dir, "a.txtar")}, names)
}
