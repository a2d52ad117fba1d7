package jsonc_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The entry that the tests add, and its path.
var (
	entry = jsonc.Object{{"command", "/usr/bin/agent"}, {"args", []string{"acp", "<&>"}}, {"env", jsonc.Object{}}}
	where = []string{"servers", "Agent \"A\""}
)

// set adds the entry to a text.
func set(t *testing.T, text string) string {
	t.Helper()
	d, err := jsonc.Parse([]byte(text))
	require.NoError(t, err)
	require.NoError(t, d.Set(entry, where...))
	return string(d.Bytes())
}

// remove removes the entry, and the object around it if that becomes empty.
func remove(t *testing.T, text string) string {
	t.Helper()
	d, err := jsonc.Parse([]byte(text))
	require.NoError(t, err)
	require.NoError(t, d.Remove(where...))
	if d.IsEmpty(where[:1]...) {
		require.NoError(t, d.Remove(where[:1]...))
	}
	return string(d.Bytes())
}

// Each file holds a text, the text with the entry, and the text after the entry
// has been removed again.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			before := string(goldentext.Text(archive.Files[0].Data))
			with := set(t, before)
			require.Equal(t, with, set(t, with), "a second time changes nothing")
			got := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{
				archive.Files[0],
				{Name: "with", Data: goldentext.Show([]byte(with))},
				{Name: "without", Data: goldentext.Show([]byte(remove(t, with)))},
			}}
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
