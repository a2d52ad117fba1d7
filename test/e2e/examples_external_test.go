//go:build unix && external

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheExamplesInPythonAreAgents(t *testing.T) {
	t.Parallel()
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

// note makes the agent ask for permission to save a note, and returns what it
// saved.
func note(t *testing.T, e *editor, dir, decision string) string {
	id := e.prompt(e.open(dir), "buy milk")
	e.choose(e.awaitPermission(), decision)
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
	e.awaitPermission()
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	e.cancel(s) // no turn is running

	id = e.prompt(s, "but this")
	e.choose(e.awaitPermission(), "allow_once")
	require.Equal(t, "end_turn", e.stops(id))
	saved, err := os.ReadFile(filepath.Join(dir, "notes.txt"))
	require.NoError(t, err)
	require.Equal(t, "but this\n", string(saved))
}

func TestTheExampleUsesAllThatAnEditorHas(t *testing.T) {
	t.Parallel()
	path, err := filepath.Abs(filepath.Join("..", "..", "examples", "tea.py"))
	require.NoError(t, err)
	e := launch(t, options{args: []string{"acp", "--", "python3", path}})
	id := e.request("initialize", map[string]any{
		"protocolVersion": 1, "clientInfo": map[string]any{"name": "pot", "version": "1"},
		"clientCapabilities": map[string]any{
			"fs": map[string]any{"writeTextFile": true}, "terminal": true, "elicitation": map[string]any{"form": map[string]any{}},
		},
	})
	require.Nil(t, e.answer(id).Error)
	s := e.session(t.TempDir())
	e.wait("commands", func(m message) bool { return m.Params.Update.Kind == "available_commands_update" })
	prompt := e.request("session/prompt", map[string]any{"sessionId": s, "prompt": []any{
		map[string]any{"type": "text", "text": "tea"},
		map[string]any{"type": "image", "data": "AA==", "mimeType": "image/png"},
	}})
	for _, step := range []struct{ method, result string }{
		{"elicitation/create", `{"action":"accept","content":{"leaf":"assam","cups":3,"hot":true}}`},
		{"session/request_permission", `{"outcome":{"outcome":"selected","optionId":"daily"}}`},
		{"fs/write_text_file", `null`},
		{"terminal/create", `{"terminalId":"t"}`},
		{"terminal/wait_for_exit", `{"exitCode":0}`},
		{"terminal/output", `{"output":"as ordered","truncated":false}`},
		{"terminal/release", `{}`},
	} {
		asked := e.wait(step.method, func(m message) bool { return m.Method == step.method })
		e.send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":` + step.result + `}`)
		if step.method == "fs/write_text_file" {
			require.Contains(t, asked.line, `"content":"daily {\"cups\": 3, \"hot\": true, \"leaf\": \"assam\"}\n"`)
		}
	}
	e.wait("the terminal in the call", func(m message) bool {
		return strings.Contains(m.line, `"content":[{"type":"terminal","terminalId":"t"}]`)
	})
	require.Equal(t, "end_turn", e.stops(prompt))
	require.Equal(t, "Tea for pot, with 1 pictures.\nas ordered", e.text())
}

func TestCheckFindsNoMistakesInTheExamples(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{{"python3", "echo.py"}, {"python3", "note.py"}, {"python3", "tea.py"}, {"sh", "echo.sh"}} {
		path, err := filepath.Abs(filepath.Join("..", "..", "examples", command[1]))
		require.NoError(t, err)
		all, code := check(t, "", "--strict", "--", command[0], path)
		require.Zero(t, code, "%s: %+v", command[1], all)
	}

	// A program that starts slowly gets its first prompt before it sends its
	// agent_info.
	path, err := filepath.Abs(filepath.Join("..", "..", "examples", "tea.py"))
	require.NoError(t, err)
	all, code := check(t, "", "--strict", "--", "sh", "-c", `read -r prompt; { printf '%s\n' "$prompt"; cat; } | python3 "$0"`, path)
	require.Zero(t, code, "%+v", all)
}
