package dialects

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/test/golden"
)

// The folders of golden files, below a dialect's testdata.
const (
	variants = "variants"
	streams  = "streams"
)

func TestGoldenFiles(t *testing.T) {
	for _, d := range dialects.All() {
		t.Run(d.Name, func(t *testing.T) {
			for _, kind := range []string{variants, streams} {
				for name, path := range goldenFiles(t, d, kind) {
					t.Run(kind+"/"+name, func(t *testing.T) { check(t, d, kind, path) })
				}
			}
		})
	}
}

func TestEveryTypeHasExactlyOneVariant(t *testing.T) {
	for _, d := range dialects.All() {
		t.Run(d.Name, func(t *testing.T) {
			want := map[string]bool{}
			for _, name := range d.Types() {
				require.False(t, want[fileName(name)], "two types share the file of %s", name)
				want[fileName(name)] = true
			}
			got := map[string]bool{}
			for name := range goldenFiles(t, d, variants) {
				got[name] = true
			}
			require.Equal(t, want, got)
		})
	}
}

// check compares one golden file, or updates it.
func check(t *testing.T, d dialect.Dialect, kind, path string) {
	t.Helper()
	archive := golden.Read(t, path)
	require.NotEmpty(t, strings.TrimSpace(archive.Comment()), "the file does not say what it shows")
	in := section(t, archive, "in")
	got := decode(t, d, in)
	if kind == variants {
		variant := got.lines[len(got.lines)-1]
		require.NoError(t, variant.err, "the variant is not understood")
		require.False(t, variant.unknown, "the variant is not known")
	}
	lawful(t, got)
	archive.Add("in", string(in))
	archive.Add("events", string(join(got.events)))
	archive.Add("v1", string(join(got.v1)))
	archive.Check(t)
}

// goldenFiles lists a dialect's golden files by name.
func goldenFiles(t testing.TB, d dialect.Dialect, kind string) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..", "internal", "agent", d.Name, "wire", "testdata", kind)
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name, ok := strings.CutSuffix(filepath.ToSlash(name), ".txtar")
		require.True(t, ok, "%s is no golden file", path)
		files[name] = path
		return nil
	})
	if len(d.Types()) == 0 && os.IsNotExist(err) {
		return nil // a dialect that is documented elsewhere
	}
	require.NoError(t, err)
	return files
}

// fileName returns the file name for a type's variant.
func fileName(name string) string { return strings.ReplaceAll(name, ":", "_") }

func section(t *testing.T, archive *golden.Archive, name string) []byte {
	t.Helper()
	text, ok := archive.Section(name)
	require.True(t, ok, "the file has no section %s", name)
	require.NotEmpty(t, strings.TrimSpace(text), "the section %s is empty", name)
	return []byte(text)
}
