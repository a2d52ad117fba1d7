package doctor

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

func TestTheAgentThatIsSetUpIsFound(t *testing.T) {
	home := t.TempDir()
	m := setup.Machine{OS: "linux", Home: home, Getenv: func(string) string { return "" }, LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
	zed, ok := setup.Named("zed")
	require.True(t, ok)
	require.Nil(t, SetUp([]setup.Editor{zed}, m))
	path := filepath.Join(home, ".config", "zed", "settings.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(`{"agent_servers":{
		"Other":{"type":"custom","command":"/opt/other","args":["acp"]},
		"Mine":{"type":"custom","command":"/opt/turnwire","args":["acp","--agent","ethos"]}}}`), 0o600))
	require.Equal(t, []string{"acp", "--agent", "ethos"}, SetUp([]setup.Editor{zed}, m))
}
