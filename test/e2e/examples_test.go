//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// examples are the agents that README.md shows, by the language of their block.
var examples = map[string]string{"python": "echo.py", "sh": "echo.sh"}

// interpreters run them.
var interpreters = map[string]string{"python": "python3", "sh": "sh"}

func TestTheExamplesAreAgents(t *testing.T) {
	for language, name := range examples {
		path, err := filepath.Abs(filepath.Join("..", "..", "examples", name))
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&0o100, "%s can be executed", name)
		testExample(t, language, path)
	}
}

func TestTheAgentsInTheReadmeAreTheExamplesAndRun(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	for language, name := range examples {
		example, err := os.ReadFile(filepath.Join("..", "..", "examples", name))
		require.NoError(t, err)
		shown := blocks(string(readme), language)
		require.Contains(t, shown, string(example), "README.md has a block that is examples/%s", name)
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, example, 0o600))
		testExample(t, language, path)
	}
}

// blocks returns the fenced blocks of a language.
func blocks(markdown, language string) []string {
	var found []string
	for part := range strings.SplitSeq("\n"+markdown, "\n```"+language+"\n") {
		block, _, closed := strings.Cut(part, "\n```\n")
		if closed {
			found = append(found, block+"\n")
		}
	}
	return found
}

// testExample talks to an agent that greets, asks a question, and saves the
// answer if it may.
func testExample(t *testing.T, language, path string) {
	interpreter, err := exec.LookPath(interpreters[language])
	require.NoError(t, err)
	args := []string{"acp", "--", interpreter, path}
	for name, converse := range map[string]func(*testing.T, *editor, string){
		"saves what it may":             saveNotes,
		"saves nothing that it may not": saveNothing,
		"stops when it is cancelled":    cancelEverywhere,
	} {
		t.Run(filepath.Base(path)+" "+name, func(t *testing.T) {
			dir := t.TempDir()
			converse(t, launch(t, options{args: args}), dir)
		})
	}
}

func saveNotes(t *testing.T, e *editor, dir string) {
	s := e.open(dir)
	var want strings.Builder
	for text, kind := range map[string]string{"buy milk": "task", `"quotes", \ and ünïcödé`: "idea"} {
		id := e.prompt(s, text)
		e.chooseNamed(e.asks(), kind)
		e.choose(e.asks(), "allow_once")
		require.Equal(t, "end_turn", e.stops(id))
		e.saw("You said: " + text + "\n")
		want.WriteString(kind + ": " + text + "\n")
	}
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, unescaped(want.String()), unescaped(string(notes)))
}

// unescaped evens out that the shell keeps what it saves as JSON has it.
func unescaped(s string) string {
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

func saveNothing(t *testing.T, e *editor, dir string) {
	id := e.prompt(e.open(dir), "buy milk")
	e.chooseNamed(e.asks(), "idea")
	e.choose(e.asks(), "reject_once")
	require.Equal(t, "end_turn", e.stops(id))
	require.NoFileExists(t, filepath.Join(dir, "notes.txt"))
}

// cancelEverywhere cancels wherever the agent waits, and goes on: the same
// process takes the next prompt.
func cancelEverywhere(t *testing.T, e *editor, dir string) {
	s := e.open(dir)
	id := e.prompt(s, "never mind")
	e.asks()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))

	id = e.prompt(s, "nor this")
	e.chooseNamed(e.asks(), "idea")
	e.asks()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	e.cancel(s) // while nothing runs

	id = e.prompt(s, "but this")
	e.chooseNamed(e.asks(), "task")
	e.choose(e.asks(), "allow_once")
	require.Equal(t, "end_turn", e.stops(id))
	notes, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, "task: but this\n", string(notes))
}
