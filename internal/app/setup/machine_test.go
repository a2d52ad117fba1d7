package setup_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// emptyMachine returns a machine with nothing installed and an empty home
// directory.
func emptyMachine(t *testing.T, system string) setup.Machine {
	t.Helper()
	return setup.Machine{
		OS:       system,
		Home:     t.TempDir(),
		Getenv:   func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", errors.New("there is no such program") },
	}
}

// write writes a file and creates its folders.
func write(t *testing.T, path string, text []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

// read returns the text of a file, or nil if the file doesn't exist.
func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	require.NoError(t, err)
	return text
}

// apply applies a change. It returns the path of the backup.
func apply(t *testing.T, c setup.Change, err error) string {
	t.Helper()
	require.NoError(t, err)
	require.False(t, c.None())
	backup, err := c.Apply()
	require.NoError(t, err)
	return backup
}

// applied adds an agent to a file, and returns the path of the backup.
func applied(t *testing.T, f setup.File, a setup.Agent) string {
	t.Helper()
	c, err := f.Put(a)
	return apply(t, c, err)
}

// drop removes an agent from a file.
func drop(t *testing.T, f setup.File, a setup.Agent) {
	t.Helper()
	c, err := f.Drop(a.Name)
	apply(t, c, err)
}

// file returns the only file of an editor on a machine.
func file(t *testing.T, m setup.Machine, editor string) setup.File {
	t.Helper()
	e, ok := setup.Named(editor)
	require.True(t, ok)
	files := e.Files(m)
	require.Len(t, files, 1)
	return files[0]
}

const program = `/opt/my "programs"/turnwire`

// The agents that tests set up. The second one has a pitfall for each language that
// settings are written in.
var (
	plain  = setup.Agent{Name: "Turnwire", Command: program, Args: []string{"acp"}}
	tricky = setup.Agent{
		Name:    `Turnwire ("my" \agent)`,
		Command: program,
		Args:    []string{"acp", "--agent", "ethos", "--header", `X: "a\n" $HOME {1} ]==] <&> 'ä'`, "--", "a;b", ""},
	}
)
