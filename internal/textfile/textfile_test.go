package textfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textfile"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestRead(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	path := write(t, filepath.Join(dir, "sub", "a.txt"), "text ä\n")
	at := time.Unix(1_700_000_000, 0)
	require.NoError(t, os.Chtimes(path, at, at))
	f, err := textfile.Read([]string{"/no/such/dir", dir}, path, 100)
	require.NoError(t, err)
	require.Equal(t, "text ä\n", f.Text)
	require.True(t, f.ModTime.Equal(at))

	for _, missing := range []string{"none", "sub/none", "new/dir/none", "sub/../none"} {
		f, err := textfile.Read([]string{dir}, filepath.Join(dir, missing), 100)
		require.NoError(t, err, missing)
		require.Nil(t, f)
	}

	secret := write(t, filepath.Join(other, "secret"), "secret")
	link := func(name, to string) { require.NoError(t, os.Symlink(to, filepath.Join(dir, name))) }
	link("inside", path)
	link("relative", "sub/a.txt")
	link("folder", filepath.Join(dir, "sub"))
	link("out", secret)
	link("outfolder", other)
	link("nowhere", filepath.Join(dir, "none"))
	link("loop", filepath.Join(dir, "loop"))
	for _, name := range []string{"inside", "relative", "folder/a.txt"} {
		f, err := textfile.Read([]string{dir}, filepath.Join(dir, name), 100)
		require.NoError(t, err, name)
		require.Equal(t, "text ä\n", f.Text)
	}
	f, err = textfile.Read([]string{dir, other}, filepath.Join(dir, "out"), 100)
	require.NoError(t, err)
	require.Equal(t, "secret", f.Text, "the other directory is one of them")

	write(t, filepath.Join(dir, "large"), strings.Repeat("x", 101))
	write(t, filepath.Join(dir, "latin"), "\xe4")
	write(t, filepath.Join(dir, "zero"), "a\x00")
	for name, want := range map[string]error{
		"out": textfile.ErrOutside, "outfolder/secret": textfile.ErrOutside, "outfolder/none": textfile.ErrOutside,
		"nowhere": textfile.ErrDangling, "sub": textfile.ErrKind, ".": textfile.ErrKind,
		"large": textfile.ErrTooLarge, "latin": textfile.ErrNotText, "zero": textfile.ErrNotText,
	} {
		f, err := textfile.Read([]string{dir}, filepath.Join(dir, name), 100)
		require.ErrorIs(t, err, want, name)
		require.Nil(t, f)
	}
	for _, path := range []string{secret, "/etc/hostname", filepath.Join(dir, "..", "x"), filepath.Join(dir, "loop"), filepath.Join(path, "below")} {
		_, err := textfile.Read([]string{dir}, path, 100)
		require.Error(t, err, path)
	}
	_, err = textfile.Read(nil, path, 100)
	require.ErrorIs(t, err, textfile.ErrOutside)
}
