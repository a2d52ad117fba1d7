package setup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
	"github.com/turnwire/turnwire/internal/test/golden"
)

// The name of a golden file begins with its editor. The file has the initial settings, if
// any, the settings with one agent, with two agents, and after the agents were removed
// from settings that the user changed.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/golden/*.txtar", func(t *testing.T, path string) {
		editor, _, _ := strings.Cut(golden.Name(path), "-")
		f := file(t, emptyMachine(t, "linux"), editor)
		archive := golden.Read(t, path)
		keep := func(name string, text []byte) { archive.Add(name, string(goldentext.Show(text))) }
		var before []byte
		if text, ok := archive.Section("before"); ok {
			before = goldentext.Text([]byte(text))
			write(t, f.Path, before)
			keep("before", before)
		}

		applied(t, f, plain)
		keep("with one agent", read(t, f.Path))
		again, err := f.Put(plain)
		require.NoError(t, err)
		require.True(t, again.None(), "a second time changes nothing")
		drop(t, f, plain)
		require.Equal(t, before, read(t, f.Path), "what was done is undone")
		requireNoLitter(t, f.Path)

		applied(t, f, plain)
		applied(t, f, tricky)
		keep("with two agents", read(t, f.Path))
		agents, err := f.Agents()
		require.NoError(t, err)
		require.Subset(t, agents, [](any){plain, tricky})
		drop(t, f, plain)
		drop(t, f, tricky)
		require.Equal(t, before, read(t, f.Path), "what was done is undone")

		if before != nil {
			applied(t, f, plain)
			write(t, f.Path, append(read(t, f.Path), '\n'))
			drop(t, f, plain)
			keep("changed meanwhile", read(t, f.Path))
		}
		archive.Check(t)
	})
}

// requireNoLitter fails if the folder contains anything but the file.
func requireNoLitter(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, e := range entries {
		require.Equal(t, filepath.Base(path), e.Name())
	}
}
