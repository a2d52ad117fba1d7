package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// askingAgent prints a request, and writes everything that it reads to $HEARD.
const askingAgent = `
	read -r prompt
	echo '{"type":"tool_confirmation_request","toolCallId":"a","toolName":"shell","args":{"command":"rm -rf /"}}'
	while read -r line; do
		echo "$line" >> "$HEARD"
		case $line in *tool_confirmation_response*) echo '{"type":"done"}';; esac
	done`

func TestACancelBeatsAPermissionInTheSameWrite(t *testing.T) {
	t.Parallel()  // it mostly waits
	for range 5 { // the bridge's TestNothingIsPermittedOnceACancelIsRead covers every moment
		file := filepath.Join(t.TempDir(), "heard")
		e := launch(t, options{args: []string{"acp", "--", "sh", "-c", askingAgent}, env: []string{"HEARD=" + file}})
		s := e.open(t.TempDir())
		id := e.prompt(s, "go")
		request := e.awaitPermission()
		e.send(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + s + `"}}` + "\n" +
			`{"jsonrpc":"2.0","id":` + string(request.ID) + `,"result":{"outcome":{"outcome":"selected","optionId":"allow_once"}}}`)
		require.Equal(t, "cancelled", e.stops(id))
		require.NoError(t, e.stdin.Close())
		e.end()
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(text), "allow")
		require.Equal(t, 1, strings.Count(string(text), `"decision":"cancelled"`), "%s", text)
	}
}

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

// chatty prints a lot, and neither a cancel nor SIGTERM ends it.
const chatty = `
	trap '' TERM
	echo '{"type":"tool_start","toolCallId":"t","toolName":"shell","args":{"command":"x"}}'
	while :; do echo '{"type":"text_delta","text":"much"}
{"type":"tool_output","toolCallId":"t","text":"more\n"}'; done`

func TestEOFAnswersEveryPromptAndEndsEveryCall(t *testing.T) {
	t.Parallel()
	const sessions = 30
	e := launch(t, options{args: []string{"acp", "--", "sh", "-c", chatty}})
	opened := []string{e.open(t.TempDir())}
	for range sessions - 1 {
		opened = append(opened, e.session(t.TempDir()))
	}
	var prompts []int
	for _, s := range opened {
		prompts = append(prompts, e.prompt(s, "go"))
	}
	for _, s := range opened {
		e.wait("tool call", func(m message) bool { return m.Params.SessionID == s && m.Params.Update.Kind == "tool_call" })
	}
	require.NoError(t, e.stdin.Close())
	e.end()
	open := map[string]bool{}
	for _, m := range e.messages {
		switch u := m.Params.Update; u.Kind {
		case "tool_call":
			open[m.Params.SessionID] = true
		case "tool_call_update":
			if u.Status == "failed" {
				delete(open, m.Params.SessionID)
			}
		}
	}
	require.Empty(t, open, "these calls are open")
	for _, id := range prompts {
		require.Equal(t, "cancelled", e.answer(id).Result.StopReason)
	}
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
