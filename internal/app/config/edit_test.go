package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

// added returns a registry agent with the given version.
func added(version string) config.Added {
	return config.Added{
		Title: "An Agent", Command: "npx", Args: []string{"--yes", "pkg@" + version}, Env: map[string]string{"PRICE": "$5"},
		Origin: config.Origin{ID: "an-agent", Version: version, From: "https://example.org/registry.json"},
	}
}

const edited = `{
  // Mine.
  "agents": {
    "mine": {"type": "glue"}, // stays
  },
}
`

func TestAddingAndRemovingAnAgentKeepsTheRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), config.FileName)
	require.NoError(t, os.WriteFile(path, []byte(edited), 0o600))
	e, err := config.Put(path, "an-agent", added("1.0.0"), true)
	require.NoError(t, err)
	require.NoError(t, e.Apply())

	agents, err := config.Places{Own: path}.OwnAgents()
	require.NoError(t, err)
	a := agents["an-agent"]
	require.Equal(t, added("1.0.0").Origin, a.Registry)
	require.Equal(t, added("1.0.0").Args, a.Args)
	price, err := a.Env["PRICE"].Resolve(func(string) (string, bool) { return "", false })
	require.NoError(t, err)
	require.Equal(t, "$5", price, "nothing in it is a variable")

	text, err := os.ReadFile(path)
	require.NoError(t, err)
	changed := strings.Replace(string(text), `"args"`, `"startTimeout": "10s", "args"`, 1)
	require.NoError(t, os.WriteFile(path, []byte(changed), 0o600))
	e, err = config.Put(path, "an-agent", added("1.1.0"), false)
	require.NoError(t, err)
	require.NoError(t, e.Apply())
	require.Equal(t, strings.ReplaceAll(changed, "1.0.0", "1.1.0"), string(e.After))

	e, err = config.Drop(path, "an-agent")
	require.NoError(t, err)
	require.NoError(t, e.Apply())
	require.Equal(t, edited, string(e.After))
}

func TestAnEditAppliesOnlyToAnUnchangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", config.FileName)
	e, err := config.Put(path, "an-agent", added("1.0.0"), true)
	require.NoError(t, err)
	require.Nil(t, e.Before)
	require.NoError(t, e.Apply())
	require.ErrorContains(t, e.Apply(), "changed in the meantime")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, e.After, after)

	again, err := config.Drop(path, "an-agent")
	require.NoError(t, err)
	require.NoError(t, os.Chmod(path, 0o400))
	require.ErrorContains(t, again.Apply(), "is read-only")
}

func TestAnAgentThatCannotBeReadIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), config.FileName)
	for text, want := range map[string]string{
		`{"agents": {`:                     "invalid JSON",
		`{"agents": []}`:                   `"agents" must be an object`,
		`{"agents": {"mine": {}}}`:         "agents.mine: type is missing",
		`{"agents": {}, "agents": {}}`:     "appears twice",
		`{"agents": {"an-agent": 5}, "x":`: "invalid JSON",
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := config.Put(path, "an-agent", added("1.0.0"), true)
		require.ErrorContains(t, err, want, text)
	}
	require.NoError(t, os.Remove(path))
	a := added("1.0.0")
	a.Env["PRICE"] = "env:HOME"
	_, err := config.Put(path, "an-agent", a, true)
	require.ErrorContains(t, err, "begins with env:")
	_, err = config.Put(path, "../x", added("1.0.0"), true)
	require.ErrorContains(t, err, "a name has at most 64 lower-case letters")
}
