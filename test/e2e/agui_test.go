//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serveAGUI starts an AG-UI server without memory: it asks before it flies, and otherwise
// counts the messages that it gets.
func serveAGUI(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var input struct {
			Messages []struct{ Role, Content string }
			Resume   []struct{ Payload struct{ Approved bool } }
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&input) != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		say := func(format string, args ...any) {
			_, _ = io.WriteString(w, "data: "+fmt.Sprintf(format, args...)+"\n\n")
		}
		say(`{"type":"RUN_STARTED","threadId":"t","runId":"r"}`)
		last := input.Messages[len(input.Messages)-1]
		switch {
		case len(input.Resume) > 0:
			say(`{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":"approved: %v"}`, input.Resume[0].Payload.Approved)
		case last.Content == "fly":
			say(`{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"launch","delta":"{}"}`)
			say(`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[` +
				`{"id":"i1","reason":"tool_call","toolCallId":"c1","responseSchema":{"properties":{"approved":{"type":"boolean"}}}}]}}`)
			return
		default:
			say(`{"type":"TEXT_MESSAGE_CHUNK","messageId":"n%d","delta":"%d messages"}`, len(input.Messages), len(input.Messages))
		}
		say(`{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAnAGUIServersConversationContinues(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir, url := t.TempDir(), serveAGUI(t)
	run := func(args ...string) string {
		r := turnwire(t, "", append([]string{"run", "--agent", "agui", "--url", url, "--cwd", dir}, args...)...)
		require.Zero(t, r.code, r.stderr)
		return r.stdout + r.stderr
	}
	require.Contains(t, run("--yes", "fly"), "approved: true")
	require.Contains(t, run("--continue", "--deny", "fly"), "approved: false")
	require.Contains(t, run("--continue", "how many?"), "7 messages")
}

func TestAnAGUIServerIsChecked(t *testing.T) {
	t.Parallel()
	url := serveAGUI(t)
	all, code := check(t, "", "--url", url, "--prompt", "fly")
	require.Zero(t, code, "%v", all)
	r := turnwire(t, "", "check", "--url", url, "--acp")
	require.Equal(t, 2, r.code)
}

func TestAnAGUIServerGoesOnFromAnEarlierMessage(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	e := launch(t, options{args: []string{"acp", "--agent", "agui", "--url", serveAGUI(t)}})
	e.request("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{"session": map[string]any{"cursors": map[string]any{}}}})
	session := e.session(dir)
	for i, text := range []string{"one", "two", "three"} {
		require.Equal(t, "end_turn", e.stops(e.prompt(session, text)))
		e.saw(fmt.Sprintf("%d messages", 2*i+1))
	}
	e.wait("the cursor", func(m message) bool {
		return strings.Contains(m.line, `"cursorId":"prompt-2","capabilities":{"fork":{}}`)
	})
	forked := e.answer(e.request("session/fork", map[string]any{"sessionId": session, "cursorId": "prompt-2", "cwd": dir}))
	fork := forked.Result.SessionID
	require.NotEqual(t, session, fork)
	require.Equal(t, "end_turn", e.stops(e.prompt(fork, "another two")))
	e.wait("the fork's messages", func(m message) bool {
		return strings.Contains(m.line, fork) && strings.Contains(m.line, "3 messages")
	})
}
