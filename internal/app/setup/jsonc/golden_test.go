package jsonc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup/internal/goldentext"
	"github.com/turnwire/turnwire/internal/app/setup/jsonc"
	"github.com/turnwire/turnwire/internal/test/golden"
)

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

// Each file has a text, the text with the entry, and the text after the entry was
// removed.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/golden/*.txtar", func(t *testing.T, path string) {
		archive := golden.Read(t, path)
		given := archive.Sections()[0]
		with := set(t, string(goldentext.Text(given.Data)))
		require.Equal(t, with, set(t, with), "a second time changes nothing")
		archive.Add(given.Name, string(given.Data))
		archive.Add("with", string(goldentext.Show([]byte(with))))
		archive.Add("without", string(goldentext.Show([]byte(remove(t, with)))))
		archive.Check(t)
	})
}
