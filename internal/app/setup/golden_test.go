package setup_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The name of a golden file begins with its editor. The file holds the settings
// before, if there are any, then with one agent, with two, and after the agents
// are removed from settings that the user has changed.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			editor, _, _ := strings.Cut(name, "-")
			f := file(t, emptyMachine(t, "linux"), editor)
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			got := &txtar.Archive{Comment: archive.Comment}
			keep := func(name string, text []byte) {
				got.Files = append(got.Files, txtar.File{Name: name, Data: goldentext.Show(text)})
			}
			var before []byte
			if len(archive.Files) > 0 && archive.Files[0].Name == "before" {
				before = goldentext.Text(archive.Files[0].Data)
				write(t, f.Path, before)
				keep("before", before)
			}

			put(t, f, plain)
			keep("with one agent", read(t, f.Path))
			again, err := f.Put(plain)
			require.NoError(t, err)
			require.True(t, again.None(), "a second time changes nothing")
			drop(t, f, plain)
			require.Equal(t, before, read(t, f.Path), "what was done is undone")
			requireNoLitter(t, f.Path)

			put(t, f, plain)
			put(t, f, tricky)
			keep("with two agents", read(t, f.Path))
			agents, err := f.Agents()
			require.NoError(t, err)
			require.Subset(t, agents, [](any){plain, tricky})
			drop(t, f, plain)
			drop(t, f, tricky)
			require.Equal(t, before, read(t, f.Path), "what was done is undone")

			if before != nil {
				put(t, f, plain)
				write(t, f.Path, append(read(t, f.Path), '\n'))
				drop(t, f, plain)
				keep("changed meanwhile", read(t, f.Path))
			}
			if *update {
				require.NoError(t, os.WriteFile(path, txtar.Format(got), 0o600))
				return
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), string(txtar.Format(got)))
		})
	}
}

// requireNoLitter fails if the folder holds anything but the file.
func requireNoLitter(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, e := range entries {
		require.Equal(t, filepath.Base(path), e.Name())
	}
}
