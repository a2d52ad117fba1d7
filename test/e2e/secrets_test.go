//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Texts that must not appear in a log: an environment variable's value, and a
// user's text.
const (
	envSecret    = "hunter2-in-the-environment"
	promptSecret = "hunter2-in-the-prompt"
)

func TestTheLogHasNoEnvironmentAndNoMessages(t *testing.T) {
	t.Parallel()
	for name, talk := range map[string]struct {
		args []string
		with func(t *testing.T, e *editor)
	}{
		"an agent that tells and dies":    {with(t, "telltale"), tellAndDie},
		"the workspace agent":             {[]string{"acp"}, workAndRefuse},
		"an editor that writes nonsense":  {with(t, "echo"), writeNonsense},
		"an agent that cannot be started": {[]string{"acp", "--", "/no/such/agent"}, failToStart},
	} {
		t.Run(name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			args := append([]string{talk.args[0], "--log-file", log}, talk.args[1:]...)
			e := launch(t, options{args: args, env: []string{"E2E_SECRET=" + envSecret}})
			talk.with(t, e)
			require.NoError(t, e.stdin.Close())
			e.end()

			text, err := os.ReadFile(log)
			require.NoError(t, err)
			require.Contains(t, string(text), "a request failed", "the log says what went wrong")
			own := ownLines(string(text))
			require.NotContains(t, own, envSecret)
			require.NotContains(t, own, promptSecret)
		})
	}
}

// ownLines removes the agent's stderr output, which belongs in the log and may
// contain anything.
func ownLines(log string) string {
	var own strings.Builder
	for line := range strings.Lines(log) {
		if !strings.Contains(line, `msg="the child wrote to stderr"`) {
			own.WriteString(line)
		}
	}
	return own.String()
}

func tellAndDie(t *testing.T, e *editor) {
	m := e.answer(e.prompt(e.open(t.TempDir()), promptSecret))
	require.NotNil(t, m.Error, m.line)
	require.Contains(t, m.Error.Data.Details, "I know "+promptSecret, "the user is told, the log is not")
}

func workAndRefuse(t *testing.T, e *editor) {
	s := e.open(t.TempDir())
	id := e.prompt(s, "/say "+promptSecret+"\n/read "+promptSecret+"\n/write a.txt "+promptSecret+"\n/run echo "+promptSecret+" $E2E_SECRET")
	m := e.awaitPermission()
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"%s"}}`, m.ID, "no"))
	e.choose(e.awaitPermission(), "allow_once")
	e.wait("output of the command", func(m message) bool { return contains(m.Params.Update.Content, envSecret) })
	require.Equal(t, "end_turn", e.stops(id))
	require.NotNil(t, e.answer(e.prompt("no session", promptSecret)).Error)
}

func writeNonsense(t *testing.T, e *editor) {
	s := e.open(t.TempDir())
	e.send(promptSecret)
	e.send(`{"jsonrpc":"2.0","method":"session/cancel","params":"` + promptSecret + `"}`)
	e.send(`{"jsonrpc":"2.0","id":{"` + promptSecret + `":1},"method":"` + "session/prompt" + `","params":{}}`)
	e.send(`{"jsonrpc":"2.0","id":4711,"result":"` + promptSecret + `"}`)
	e.send(`{"jsonrpc":"2.0","id":4712,"error":"` + promptSecret + `"}`)
	for _, prompt := range []any{promptSecret, []any{promptSecret}, []any{map[string]any{"type": "text", "text": []any{promptSecret}}}} {
		m := e.answer(e.request("session/prompt", map[string]any{"sessionId": s, "prompt": prompt}))
		require.NotNil(t, m.Error, m.line)
	}
	require.Equal(t, "end_turn", e.stops(e.prompt(s, promptSecret)))
}

func failToStart(t *testing.T, e *editor) {
	require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
	require.NotNil(t, e.answer(e.request("session/new", map[string]any{"cwd": t.TempDir(), "mcpServers": []any{}, "_meta": map[string]any{"x": promptSecret}})).Error)
}

func TestOnlyItsOwnerCanReadTheLog(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	e := launch(t, options{args: []string{"acp", "--log-file", log}})
	e.open(t.TempDir())
	info, err := os.Stat(log)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
