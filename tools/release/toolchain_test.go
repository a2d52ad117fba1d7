package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// commitOf returns a repository whose only commit has this go.mod.
func commitOf(t *testing.T, mod string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "."},
		{"-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "Begin"},
	} {
		_, err := output(t.Context(), dir, nil, "git", args...)
		require.NoError(t, err)
	}
	return dir
}

func TestAReleaseIsMadeWithTheToolchainThatItsCommitNames(t *testing.T) {
	for mod, want := range map[string]string{
		"module m\n\ngo 1.26.0\n\ntoolchain go1.26.0\n": "go.mod wants go1.26.0, but go is go",
		"module m\n\ngo 1.26.0\n":                       "names no toolchain",
	} {
		out := filepath.Join(t.TempDir(), "out")
		err := release(t.Context(), options{source: commitOf(t, mod), out: out, platforms: tested})
		require.ErrorContains(t, err, want)
		require.NoDirExists(t, out)
	}
}
