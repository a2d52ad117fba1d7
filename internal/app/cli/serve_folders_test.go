package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/page"
)

func TestThePageIsOfferedFoldersThatExist(t *testing.T) {
	dir := t.TempDir()
	made := func(name string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(path, 0o700))
		return path
	}
	own, tea, scones := made("own"), made("tea"), made("scones")
	file := filepath.Join(dir, "turnwire.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"folders": ["scones", "gone", "turnwire.json", "scones"]}`), 0o600))
	h := &hubs{options: &serveOptions{agent: agentOptions{config: file}}, log: slog.New(slog.DiscardHandler)}
	sessions := []page.Session{{Cwd: tea}, {Cwd: own}, {Cwd: filepath.Join(dir, "nowhere")}, {Cwd: tea}}
	require.Equal(t, []string{own, scones, tea}, h.folders(own, sessions))

	for n := range 100 {
		sessions = append(sessions, page.Session{Cwd: made(strconv.Itoa(n))})
	}
	require.Len(t, h.folders(own, sessions), maxFolders)
}
