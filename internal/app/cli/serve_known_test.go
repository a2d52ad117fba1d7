//go:build unix

package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestThePageListsInstalledAgents(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	log := slog.New(slog.DiscardHandler)
	require.Empty(t, (&serveOptions{}).otherAgents(log))
	for _, name := range []string{"gemini", "claude-agent-acp"} {
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o700))
	}
	require.Equal(t, []string{"claude", "gemini"}, (&serveOptions{}).otherAgents(log))
	require.Empty(t, (&serveOptions{agent: agentOptions{name: "gemini"}}).otherAgents(log), "only the chosen agent is served")
}
