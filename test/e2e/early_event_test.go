//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// eager is an agent that prints an event before its first prompt. Decoding the
// event also yields a hint, because its text is in the wrong member.
var eager = []string{"sh", "-c", `echo '{"type":"text_delta","content":"hi"}'; while read -r command; do
case $command in *'"type":"prompt"'*) echo '{"type":"done"}' ;; esac
done`}

func TestAHintBeforeTheFirstPromptKillsNothing(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(e *editor, session string){
		"the session is closed": func(e *editor, session string) {
			e.answer(e.request("session/close", map[string]any{"sessionId": session}))
			e.session(e.t.TempDir()) // the process still serves other sessions
			require.NoError(e.t, e.stdin.Close())
		},
		"EOF":    func(e *editor, _ string) { require.NoError(e.t, e.stdin.Close()) },
		"SIGINT": func(e *editor, _ string) { require.NoError(e.t, e.cmd.Process.Signal(os.Interrupt)) },
	} {
		t.Run(name, func(t *testing.T) {
			e := launch(t, options{args: append([]string{"acp", "--no-journal", "--"}, eager...)})
			end(e, e.open(t.TempDir()))
			e.end()
		})
	}
}

func TestAReplayCanBeCancelledAtAHint(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "recording.jsonl")
	require.NoError(t, os.WriteFile(recording, []byte(`{"type":"question","questionId":"q","prompt":"which?","options":["a","b"]}`+"\n"), 0o600))
	e := launch(t, options{args: []string{"acp", "--no-journal", "--replay", recording}})
	session := e.open(t.TempDir())
	id := e.prompt(session, "go")
	e.awaitPermission()
	e.cancel(session)
	require.Equal(t, "cancelled", e.stops(id))
	require.NoError(t, e.stdin.Close())
	e.end()
}
