package setup_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
)

// A settings file with any content is either refused and left alone, or contains the
// agent afterwards. In that case, removing the agent restores its bytes.
func FuzzPutAndDropGivesTheBytesBack(f *testing.F) {
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(f, err)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		for _, file := range archive.Files {
			f.Add(goldentext.Text(file.Data))
		}
	}
	f.Add([]byte("\r"))
	f.Fuzz(func(t *testing.T, before []byte) {
		m := emptyMachine(t, "linux")
		for _, editor := range []string{"zed", "jetbrains", "vscode", "emacs"} {
			f := file(t, m, editor)
			write(t, f.Path, before)
			had, err := f.Agents()
			if err != nil {
				_, err = f.Put(plain)
				require.Error(t, err, editor)
				continue
			}
			c, err := f.Put(plain)
			if err != nil {
				require.Equal(t, before, read(t, f.Path), editor)
				continue
			}
			_, err = c.Apply()
			require.NoError(t, err, editor)
			agents, err := f.Agents()
			require.NoError(t, err, editor)
			require.Contains(t, agents, plain, editor)
			again, err := f.Put(plain)
			require.NoError(t, err, editor)
			require.True(t, again.None(), editor)
			drop(t, f, plain)
			named := false
			for _, a := range had {
				named = named || a.Name == plain.Name
			}
			if !named { // otherwise the user's entry of that name was removed too
				require.Equal(t, string(before), string(read(t, f.Path)), editor)
			}
			require.NoError(t, os.RemoveAll(filepath.Dir(f.Path)))
		}
	})
}
