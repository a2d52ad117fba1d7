package config_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

// memberNames returns the names of an agent's members.
func memberNames() []string {
	var names []string
	for f := range reflect.TypeFor[config.Agent]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// write writes a configuration file with agents whose command is named after the file's
// folder.
func write(t *testing.T, path string, agents ...string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	var list []string
	for _, name := range agents {
		list = append(list, `"`+name+`": {"type": "process", "command": "`+filepath.Base(filepath.Dir(path))+`"}`)
	}
	require.NoError(t, os.WriteFile(path, []byte(`{"agents": {`+strings.Join(list, ",\n")+`}}`), 0o600))
}

// places sets up a user's folders. It returns the paths of the user's file and of a
// project's file.
func places(t *testing.T) (own, project string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	return filepath.Join(home, "turnwire", config.FileName), filepath.Join(t.TempDir(), config.FileName)
}

func load(t *testing.T, project string) (map[string]string, error) {
	t.Helper()
	agents, err := config.Find("", filepath.Dir(project)).Load([]string{"ethos"})
	commands := map[string]string{}
	for name, a := range agents {
		commands[name] = a.Command
	}
	return commands, err
}

func TestWithoutFilesThereAreNoAgents(t *testing.T) {
	_, project := places(t)
	agents, err := load(t, project)
	require.NoError(t, err)
	require.Empty(t, agents)
}

func TestTheUsersFileAndTheProjectsAddUp(t *testing.T) {
	own, project := places(t)
	write(t, own, "mine", "ethos")
	write(t, project, "ours")
	agents, err := load(t, project)
	require.NoError(t, err)
	here := filepath.Base(filepath.Dir(project))
	require.Equal(t, map[string]string{"mine": "turnwire", "ethos": "turnwire", "ours": here}, agents,
		"a user may change what is built in")
}

func TestAgentsOfAProjectAreMarked(t *testing.T) {
	own, project := places(t)
	write(t, own, "mine")
	write(t, project, "ours")
	agents, err := config.Find("", filepath.Dir(project)).Load(nil)
	require.NoError(t, err)
	mine, ours := agents["mine"], agents["ours"]
	require.False(t, mine.FromProject())
	require.True(t, ours.FromProject())
	require.Equal(t, project, ours.File())
}

func TestAProjectCannotChangeANameThatIsKnown(t *testing.T) {
	own, project := places(t)
	write(t, own, "mine")
	write(t, project, "ours", "ethos")
	_, err := load(t, project)
	require.EqualError(t, err, project+":2: agents.ethos: a project cannot redefine the built-in agent ethos; choose another name")

	write(t, project, "ours", "mine")
	_, err = load(t, project)
	require.EqualError(t, err, project+":2: agents.mine: a project cannot redefine the agent mine of "+own+"; choose another name")
}

func TestANamedFileIsTheOnlyOneAndMustBeThere(t *testing.T) {
	own, project := places(t)
	write(t, own, "mine")
	write(t, project, "ours")
	named := filepath.Join(t.TempDir(), "other.json")
	_, err := config.Find(named, filepath.Dir(project)).Load(nil)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, named)
	write(t, named, "theirs")
	agents, err := config.Find(named, filepath.Dir(project)).Load(nil)
	require.NoError(t, err)
	require.Len(t, agents, 1)
	require.Contains(t, agents, "theirs")
}

func TestTheUsersFileInTheProjectCountsOnce(t *testing.T) {
	own, _ := places(t)
	write(t, own, "ethos")
	agents, err := load(t, own)
	require.NoError(t, err)
	require.Len(t, agents, 1)
}

func TestAPathThatIsNotAFileIsAnError(t *testing.T) {
	_, project := places(t)
	require.NoError(t, os.Mkdir(project, 0o700))
	_, err := load(t, project)
	require.ErrorContains(t, err, project+" is not a regular file")
	require.NoError(t, os.Remove(project))
	require.NoError(t, os.WriteFile(project, make([]byte, 300<<10), 0o600))
	_, err = load(t, project)
	require.ErrorContains(t, err, "is longer than")
}
