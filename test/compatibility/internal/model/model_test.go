package model

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requests are requests of the APIs: a prompt, and the same prompt after its tool call.
// PROMPT is replaced.
var requests = []struct{ name, path, first, second, call string }{
	{
		"completions", "/v1/chat/completions",
		`{"stream": true, "tools": [{"function": {"name": "bash", "parameters": {"properties": {"command": {"type": "string"}}}}}],
		  "messages": [{"role": "user", "content": "PROMPT"}]}`,
		`{"stream": true, "tools": [{"function": {"name": "bash"}}],
		  "messages": [{"role": "user", "content": [{"type": "text", "text": "PROMPT"}]}, {"role": "tool", "content": "done"}]}`,
		`\"command\":\"touch a.txt\"`,
	},
	{
		"responses", "/v1/responses",
		`{"stream": true, "tools": [{"name": "shell", "parameters": {"properties": {"command": {"type": "array"}}}}],
		  "input": [{"role": "user", "content": [{"type": "input_text", "text": "PROMPT"}]}]}`,
		`{"stream": true, "tools": [{"name": "shell"}],
		  "input": [{"role": "user", "content": "PROMPT"}, {"type": "function_call_output"}]}`,
		`[\"bash\",\"-lc\",\"touch a.txt\"]`,
	},
	{
		"messages", "/v1/messages",
		`{"stream": true, "tools": [{"name": "Bash", "input_schema": {"properties": {"command": {"type": "string"}}}}],
		  "messages": [{"role": "user", "content": "PROMPT"}]}`,
		`{"stream": true, "tools": [{"name": "Bash"}],
		  "messages": [{"role": "user", "content": "PROMPT"}, {"role": "user", "content": [{"type": "tool_result"}]}]}`,
		`\"command\":\"touch a.txt\"`,
	},
	{
		"generateContent", "/v1beta/models/m:streamGenerateContent",
		`{"tools": [{"functionDeclarations": [{"name": "run_shell_command", "parameters": {"properties": {"command": {"type": "STRING"}}}}]}],
		  "contents": [{"role": "user", "parts": [{"text": "PROMPT"}]}]}`,
		`{"tools": [{"functionDeclarations": [{"name": "run_shell_command"}]}],
		  "contents": [{"role": "user", "parts": [{"text": "PROMPT"}]}, {"role": "user", "parts": [{"functionResponse": {}}]}]}`,
		`"command":"touch a.txt"`,
	},
}

func TestEveryAPIFollowsTheScript(t *testing.T) {
	s, err := Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			run := strings.Replace(Run, "%s", "a.txt", 1)
			require.Contains(t, post(t, s.URL+r.path, r.first, Hello), Greeting)
			require.Contains(t, post(t, s.URL+r.path, r.first, run), r.call)
			require.NotContains(t, post(t, s.URL+r.path, r.second, run), "touch")
			require.NotContains(t, post(t, s.URL+r.path, r.first, Image), Seen)
		})
	}
}

// The model never ends this reply. The client's cancel does.
func TestWaitEndsWithTheRequest(t *testing.T) {
	s, err := Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			response := send(ctx, t, s.URL+r.path, r.first, Wait)
			lines := bufio.NewScanner(response.Body)
			for lines.Scan() && !strings.Contains(lines.Text(), Greeting) {
				continue
			}
			require.NoError(t, lines.Err())
			cancel()
			for lines.Scan() {
				continue
			}
			require.ErrorIs(t, lines.Err(), context.Canceled)
			require.NoError(t, response.Body.Close())
		})
	}
}

func send(ctx context.Context, t *testing.T, url, body, prompt string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(strings.ReplaceAll(body, "PROMPT", prompt)))
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	return response
}

func post(t *testing.T, url, body, prompt string) string {
	t.Helper()
	response := send(t.Context(), t, url, body, prompt)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return string(text)
}
