package relay_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// project returns a new folder, by its path without symbolic links.
func project(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

// writeFile writes a file. Its text is JSON.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	var plain string
	require.NoError(t, exactjson.Unmarshal([]byte(text), &plain))
	require.NoError(t, os.WriteFile(path, []byte(plain), 0o600))
}

// textOf returns the text of a file as JSON, or "missing".
func textOf(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return "missing"
	}
	require.NoError(t, err)
	return string(rawmsg.Quote(string(text)))
}
