//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documented names the document that shows an example, and the language of its
// code block.
var documented = map[string]struct{ document, language string }{
	"note.py":   {"README.md", "python"},
	"echo.py":   {"docs/write-an-agent.md", "python"},
	"tea.py":    {"docs/commands-and-events.md", "python"},
	"echo.sh":   {"docs/write-an-agent.md", "sh"},
	"ollama.py": {"docs/recipes.md", "python"},
}

func TestTheDocumentsShowTheExamples(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir(filepath.Join("..", "..", "examples"))
	require.NoError(t, err)
	files = slices.DeleteFunc(files, func(f os.DirEntry) bool { return filepath.Ext(f.Name()) == ".go" })
	require.Len(t, files, len(documented))
	for _, file := range files {
		where := documented[file.Name()]
		example, err := os.ReadFile(filepath.Join("..", "..", "examples", file.Name()))
		require.NoError(t, err)
		document, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(where.document)))
		require.NoError(t, err)
		require.Contains(t, string(document), "\n```"+where.language+"\n"+string(example)+"```\n", "%s shows examples/%s", where.document, file.Name())
		info, err := file.Info()
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&0o100, "%s can be executed", file.Name())
	}
}

func TestTheExampleForTheShellIsAnAgent(t *testing.T) {
	t.Parallel()
	testExample(t, "sh", "echo.sh", echoes)
}

// conversations are an example's tests, by name.
type conversations map[string]func(t *testing.T, e *editor, dir string)

// echoes tests an agent that greets, asks a question, and saves the answer if
// it is allowed to.
var echoes = conversations{
	"saves what it may":             saveNotes,
	"saves nothing that it may not": saveNothing,
	"stops when it is cancelled":    cancelEverywhere,
}

func testExample(t *testing.T, interpreter, name string, talks conversations) {
	path, err := filepath.Abs(filepath.Join("..", "..", "examples", name))
	require.NoError(t, err)
	for said, converse := range talks {
		t.Run(name+" "+said, func(t *testing.T) {
			converse(t, launch(t, options{args: []string{"acp", "--", interpreter, path}}), t.TempDir())
		})
	}
}

func saveNotes(t *testing.T, e *editor, dir string) {
	s := e.open(dir)
	var want strings.Builder
	for text, kind := range map[string]string{"buy milk": "task", `"quotes", \ and ünïcödé`: "idea"} {
		id := e.prompt(s, text)
		e.chooseNamed(e.awaitPermission(), kind)
		e.choose(e.awaitPermission(), "allow_once")
		require.Equal(t, "end_turn", e.stops(id))
		e.saw("You said: " + text + "\n")
		want.WriteString(kind + ": " + text + "\n")
	}
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, unescaped(want.String()), unescaped(string(notes)))
}

// unescaped compensates for the shell, which saves text with its JSON escapes.
func unescaped(s string) string {
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

func saveNothing(t *testing.T, e *editor, dir string) {
	id := e.prompt(e.open(dir), "buy milk")
	e.chooseNamed(e.awaitPermission(), "idea")
	e.choose(e.awaitPermission(), "reject_once")
	require.Equal(t, "end_turn", e.stops(id))
	require.NoFileExists(t, filepath.Join(dir, "notes.txt"))
}

// cancelEverywhere cancels wherever the agent waits. The same process then
// handles the next prompt.
func cancelEverywhere(t *testing.T, e *editor, dir string) {
	s := e.open(dir)
	id := e.prompt(s, "never mind")
	e.awaitPermission()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))

	id = e.prompt(s, "nor this")
	e.chooseNamed(e.awaitPermission(), "idea")
	e.awaitPermission()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	e.cancel(s) // no turn is running

	id = e.prompt(s, "but this")
	e.chooseNamed(e.awaitPermission(), "task")
	e.choose(e.awaitPermission(), "allow_once")
	require.Equal(t, "end_turn", e.stops(id))
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, "task: but this\n", string(notes))
}
