//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tailscale/hujson"
)

// settingsFiles are the settings that a user can copy, by editor.
var settingsFiles = map[string]string{
	"zed":       "../../editors/zed/settings.json",
	"jetbrains": "../../editors/jetbrains/acp.json",
}

// servers are the agents in settings.
type servers struct {
	Agents map[string]json.RawMessage `json:"agent_servers"`
}

func readServers(t *testing.T, text []byte) servers {
	t.Helper()
	text, err := hujson.Standardize(text)
	require.NoError(t, err)
	var s servers
	require.NoError(t, json.Unmarshal(text, &s))
	require.NotEmpty(t, s.Agents)
	return s
}

// The settings to copy equal those that setup writes, and the commands in them
// work.
func TestTheDocumentedSettingsMatchSetupAndWork(t *testing.T) {
	t.Parallel()
	for editor, path := range settingsFiles {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for name, entry := range readServers(t, text).Agents {
			t.Run(editor+"/"+name, func(t *testing.T) {
				var launch struct {
					Command string
					Args    []string
				}
				require.NoError(t, json.Unmarshal(entry, &launch))
				require.True(t, filepath.IsAbs(launch.Command))
				require.Equal(t, "acp", launch.Args[0])

				p := newUser(t)
				printed := p.run(append([]string{"setup", editor, "--print", "--name", name}, launch.Args[1:]...)...)
				require.Zero(t, printed.code, printed.stderr)
				ours := strings.ReplaceAll(printed.stdout, "$HOME/bin/turnwire", launch.Command)
				require.JSONEq(t, string(readServers(t, []byte(ours)).Agents[name]), string(entry))

				started := turnwire(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`+"\n", launch.Args...)
				require.Zero(t, started.code, started.stderr)
				require.Empty(t, started.stderr)
				require.Contains(t, started.stdout, `"protocolVersion":1`)
			})
		}
	}
}
