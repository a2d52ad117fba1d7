package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfirmationsWithDeeplyNestedArgumentsAreAsked(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	script := `
		read -r prompt
		echo '{"type":"tool_confirmation_request","toolCallId":"a","toolName":"x","args":` + deep + `}'
		read -r answer
		case $answer in *allow_once*) echo '{"type":"text_delta","text":"allowed"}';; esac
		echo '{"type":"done"}'`
	file := filepath.Join(t.TempDir(), "agent.sh")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	e := launch(t, options{args: []string{"acp", "--", "sh", file}})
	id := e.prompt(e.open(t.TempDir()), "go")
	e.choose(e.awaitPermission(), "allow_once")
	require.Equal(t, "end_turn", e.stops(id))
	e.saw("allowed")
}

func TestTheLastLineOfManySessionsIsWhole(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: []string{"acp", "--", "sh", "-c", "while read -r line; do :; done"}})
	e.open(t.TempDir())
	for range 200 {
		e.request("session/new", map[string]any{"cwd": "/", "mcpServers": []any{}})
	}
	require.NoError(t, e.stdin.Close())
	e.end() // which checks each line
	answers := 0
	for _, m := range e.messages {
		if m.Method == "" {
			answers++
			require.True(t, json.Valid([]byte(m.line)))
		}
	}
	require.Equal(t, e.last, answers)
}
