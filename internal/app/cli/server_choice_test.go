package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The configured server is used only for agents that it can run.
func TestTheConfiguredServerIsOnlyForAgentsItCanRun(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Chdir(project)
	socket := filepath.Join(home, "turnwire", "s")
	require.NoError(t, os.Mkdir(filepath.Dir(socket), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, "turnwire", "turnwire.json"), []byte(`{"server": "s", "agents": {"mine": {"type": "glue"}}}`), 0o600))
	require.NoError(t, os.WriteFile("turnwire.json", []byte(`{"agents": {"ours": {"type": "glue"}}}`), 0o600))
	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(`{}`), 0o600))
	for name, c := range map[string]struct {
		agent agentOptions
		off   bool
		want  string
	}{
		"no agent":              {want: socket},
		"one of the user's":     {agent: agentOptions{name: "mine"}, want: socket},
		"one that is built in":  {agent: agentOptions{name: "ethos"}, want: socket},
		"one of the project's":  {agent: agentOptions{name: "ours"}},
		"a command":             {agent: agentOptions{command: []string{"x"}}},
		"a URL":                 {agent: agentOptions{name: "awaken", url: "http://x"}},
		"a recording":           {agent: agentOptions{replay: "x"}},
		"a dialect":             {agent: agentOptions{name: "mine", dialect: "ethos"}},
		"another configuration": {agent: agentOptions{name: "ethos", config: other}},
		"nothing is to be kept": {off: true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.agent.dialect == "" {
				c.agent.dialect = dialectAuto
			}
			got, err := c.agent.configuredServer(&journalOptions{off: c.off})
			require.NoError(t, err)
			require.Equal(t, c.want, got.named)
		})
	}
}

func TestTheCommandLineSaysWhichStore(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	require.NoError(t, os.Mkdir(filepath.Join(home, "turnwire"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, "turnwire", "turnwire.json"), []byte(`{"store": {"url": "nats://own", "creds": "c"}}`), 0o600))
	creds := filepath.Join(home, "turnwire", "c")
	for _, c := range []struct{ given, want storeOptions }{
		{storeOptions{}, storeOptions{url: "nats://own", creds: creds}},
		{storeOptions{url: "local"}, storeOptions{}},
		{storeOptions{url: "nats://other"}, storeOptions{url: "nats://other"}},
	} {
		require.NoError(t, c.given.check())
		require.NoError(t, c.given.choose(""))
		require.Equal(t, c.want, c.given)
	}
	require.EqualError(t, (&storeOptions{url: "http://me:secret@x"}).check(), "--store http://xxxxx@x: it must begin with nats://, tls://, ws:// or wss://")
	require.Error(t, (&storeOptions{url: "local", creds: "x"}).check())
}
