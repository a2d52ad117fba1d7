//go:build unix && external

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheExamplesInPythonAreAgents(t *testing.T) {
	testExample(t, "python3", "echo.py", echoes)
	testExample(t, "python3", "note.py", conversations{
		"saves what it may": func(t *testing.T, e *editor, dir string) {
			require.Equal(t, "buy milk\n", note(t, e, dir, "allow_once"))
		},
		"saves nothing that it may not": func(t *testing.T, e *editor, dir string) {
			require.Empty(t, note(t, e, dir, "reject_once"))
		},
		"stops when it is cancelled": cancelNote,
	})
}

// note makes the agent ask whether it may save a note, and returns what it has
// saved.
func note(t *testing.T, e *editor, dir, decision string) string {
	id := e.prompt(e.open(dir), "buy milk")
	e.choose(e.asks(), decision)
	require.Equal(t, "end_turn", e.stops(id))
	e.saw("You said: buy milk\n")
	saved, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return string(saved)
}

func cancelNote(t *testing.T, e *editor, dir string) {
	s := e.open(dir)
	id := e.prompt(s, "never mind")
	e.asks()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	e.cancel(s) // while no turn runs

	id = e.prompt(s, "but this")
	e.choose(e.asks(), "allow_once")
	require.Equal(t, "end_turn", e.stops(id))
	saved, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, "but this\n", string(saved))
}
