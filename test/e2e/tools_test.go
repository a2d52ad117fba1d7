//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serveToolUser starts an AG-UI server whose agent has no tools. For the prompt
// "NAME {ARGUMENTS}" it calls the tool that its client offers under this name, and then
// repeats the result.
func serveToolUser(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var input struct {
			Messages []struct{ Role, Content string }
			Tools    []struct{ Name string }
		}
		if json.NewDecoder(r.Body).Decode(&input) != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		say := func(event map[string]any) {
			line, _ := json.Marshal(event) // it has only texts
			_, _ = fmt.Fprintf(w, "data: %s\n\n", line)
		}
		n := len(input.Messages)
		last := input.Messages[n-1]
		say(map[string]any{"type": "RUN_STARTED", "threadId": "t", "runId": "r"})
		name, arguments, _ := strings.Cut(last.Content, " ")
		switch {
		case last.Role == "tool":
			say(map[string]any{"type": "TEXT_MESSAGE_CHUNK", "messageId": fmt.Sprint("m", n), "delta": "result: " + last.Content})
		case name == "offered":
			say(map[string]any{"type": "TEXT_MESSAGE_CHUNK", "messageId": fmt.Sprint("m", n), "delta": fmt.Sprint(input.Tools)})
		default:
			say(map[string]any{"type": "TOOL_CALL_CHUNK", "toolCallId": fmt.Sprint("c", n), "toolCallName": name, "delta": arguments})
		}
		say(map[string]any{"type": "RUN_FINISHED", "threadId": "t", "runId": "r"})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The user's rules and the audit log apply to tools that a server uses, as to any agent's.
func TestAPolicyDecidesForAServerWithTools(t *testing.T) {
	t.Parallel()
	h := ruled(t, someRules)
	config := `{"policy": ` + someRules + `, "agents": {"coder": {"type": "agui", "url": "` + serveToolUser(t) + `", "offerTools": ["read_file", "write_file"]}}}`
	require.NoError(t, os.WriteFile(h.file(), []byte(config), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(h.work, "a.txt"), []byte("héllo"), 0o600))
	e := launch(t, options{args: []string{"acp", "--agent", "coder"}, env: h.env()})
	require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1, "clientInfo": map[string]string{"name": "test", "version": "1"}})).Error)
	session := e.session(h.work)
	end := func(text string) { require.Equal(t, "end_turn", e.stops(e.prompt(session, text))) }
	end("offered")
	e.saw("tools: read_file, write_file. It reads the files in this folder without asking")
	e.saw("[{read_file} {write_file}]")
	end(`read_file {"path":"a.txt"}`)
	e.saw("result: héllo")
	end(`write_file {"path":"src/a.txt","content":"x"}`)
	end(`write_file {"path":"src/.env","content":"x"}`)
	e.saw("result: The user did not allow this call.")
	for _, m := range e.messages {
		require.NotEqual(t, "session/request_permission", m.Method, m.line)
	}
	for name, option := range map[string]string{"b.txt": "allow_once", "c.txt": "reject_once"} {
		id := e.prompt(session, `write_file {"path":"`+name+`","content":"x"}`)
		asked := e.awaitPermission()
		require.Contains(t, asked.line, `"type":"diff"`)
		e.choose(asked, option)
		require.Equal(t, "end_turn", e.stops(id))
	}
	outside := filepath.Join(filepath.Dir(h.work), "outside.txt")
	id := e.prompt(session, `read_file {"path":"`+outside+`"}`)
	e.choose(e.awaitPermission(), "reject_once")
	require.Equal(t, "end_turn", e.stops(id))
	e.cleanUp()
	require.True(t, h.wrote("src/a.txt"))
	require.False(t, h.wrote("src/.env"))
	require.True(t, h.wrote("b.txt"))
	require.False(t, h.wrote("c.txt"))

	said := make(map[string]string)
	for _, d := range h.audit(t) {
		require.Equal(t, session, d.Session)
		path, err := filepath.Rel(h.work, d.Paths[0])
		require.NoError(t, err)
		said[path] = d.Kind + ": " + d.Sentence()
	}
	require.Equal(t, map[string]string{
		"src/a.txt":      "edit: allowed by the rule allow edit:src/** (" + h.file() + ":1)",
		"src/.env":       "edit: denied by the rule deny edit:**/.env (" + h.file() + ":1)",
		"b.txt":          "edit: allowed by the user in test",
		"c.txt":          "edit: denied by the user in test",
		"../outside.txt": "read: denied by the user in test",
	}, said)
}

func TestDoctorChecksAServer(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	found, code := p.doctor("--agent", "agui", "--url", serveAGUI(t))
	require.Zero(t, code, found)
	require.Contains(t, found["answer"].Detail, "“1 messages”")

	wrong := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(wrong.Close)
	found, code = p.doctor("--agent", "agui", "--url", wrong.URL)
	require.Equal(t, 1, code)
	require.Contains(t, found["answer"].Detail, "404")
	require.Contains(t, found["answer"].Detail, "try /, /agent, /agui")
}

// serveAISDK starts a chat route of the AI SDK: it asks before it flies, and otherwise counts
// the messages that it gets.
func serveAISDK(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var input struct {
			Messages []struct {
				Role  string
				Parts []struct {
					Type, Text, State string
					Approval          struct{ Approved *bool }
				}
			}
		}
		if r.URL.Path != "/api/chat" || json.NewDecoder(r.Body).Decode(&input) != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("x-vercel-ai-ui-message-stream", "v1")
		say := func(events ...string) {
			for _, e := range events {
				_, _ = io.WriteString(w, "data: "+e+"\n\n")
			}
		}
		text := func(text string) {
			say(`{"type":"text-start","id":"1"}`, `{"type":"text-delta","id":"1","delta":"`+text+`"}`, `{"type":"text-end","id":"1"}`)
		}
		last := input.Messages[len(input.Messages)-1]
		part := last.Parts[len(last.Parts)-1]
		say(fmt.Sprintf(`{"type":"start","messageId":"m%d"}`, len(input.Messages)), `{"type":"start-step"}`)
		switch {
		case part.State == "approval-responded" && *part.Approval.Approved:
			say(`{"type":"tool-output-available","toolCallId":"c1","output":"landed"}`)
			text("It flew.")
		case part.State == "approval-responded":
			say(`{"type":"tool-output-denied","toolCallId":"c1"}`)
			text("It stayed.")
		case part.Text == "fly":
			say(`{"type":"tool-input-available","toolCallId":"c1","toolName":"launch","input":{"to":"moon"}}`,
				`{"type":"tool-approval-request","toolCallId":"c1","approvalId":"a1"}`)
		default:
			text(fmt.Sprintf("%d messages", len(input.Messages)))
		}
		say(`{"type":"finish-step"}`, `{"type":"finish"}`, "[DONE]")
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAnAISDKServersConversationContinues(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir, url := t.TempDir(), serveAISDK(t)
	run := func(args ...string) string {
		r := turnwire(t, "", append([]string{"run", "--agent", "aisdk", "--url", url, "--cwd", dir}, args...)...)
		require.Zero(t, r.code, r.stderr)
		return r.stdout + r.stderr
	}
	require.Contains(t, run("--yes", "fly"), "It flew.")
	require.Contains(t, run("--continue", "--deny", "fly"), "It stayed.")
	require.Contains(t, run("--continue", "how many?"), "5 messages")
}
