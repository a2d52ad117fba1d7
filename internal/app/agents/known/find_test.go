//go:build unix

package known_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/agents/known"
)

func TestTheFirstInstalledCommandIsUsed(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	first, second := known.Command{Args: []string{"adapter"}}, known.Command{Type: "other", Args: []string{"program", "--flag"}}
	a := known.Agent{Name: "a", Commands: []known.Command{first, second}, Install: "npm install -g a", Registry: "a-acp"}

	c, installed := a.Find()
	require.False(t, installed)
	require.Equal(t, first, c, "the one to install")
	require.Equal(t, "add it with turnwire agents add a, or install it: npm install -g a", a.Missing())

	require.NoError(t, os.WriteFile(filepath.Join(bin, "program"), []byte("#!/bin/sh\n"), 0o700))
	c, installed = a.Find()
	require.True(t, installed)
	require.Equal(t, second, c)

	require.NoError(t, os.WriteFile(filepath.Join(bin, "adapter"), []byte("#!/bin/sh\n"), 0o700))
	c, installed = a.Find()
	require.True(t, installed)
	require.Equal(t, first, c)

	require.Equal(t, second, a.Like("/opt/program"))
	require.Equal(t, first, a.Like("/opt/wrapper"))
}

func TestAnAgentWithoutItsAdapterIsSaidToNeedIt(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	codex, ok := known.Named("codex")
	require.True(t, ok)
	require.Equal(t, "Codex is not installed (codex-acp is not in PATH)", codex.Lack())
	require.NoError(t, os.WriteFile(filepath.Join(bin, "codex"), []byte("#!/bin/sh\n"), 0o700))
	_, installed := codex.Find()
	require.False(t, installed)
	require.Equal(t, "Codex needs an adapter, because codex doesn't speak the Agent Client Protocol (codex-acp is not in PATH)", codex.Lack())
}
