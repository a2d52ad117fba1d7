//go:build unix

package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// greetings are the capabilities that clients which can't run here send with
// initialize, according to their sources and manuals in November 2026.
func greetings() map[string]map[string]any {
	files := map[string]any{"readTextFile": true, "writeTextFile": true}
	meta := map[string]any{"terminal_output": true, "terminal-auth": true}
	terminal := map[string]any{"terminal": true}
	return map[string]map[string]any{
		"zed": {"fs": files, "terminal": true, "auth": terminal, "_meta": meta},
		"zed, with forms": {
			"fs": files, "terminal": true, "auth": terminal, "_meta": meta,
			"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}},
			"session":     map[string]any{"configOptions": map[string]any{"boolean": map[string]any{}}},
		},
		"jetbrains": {"fs": files, "terminal": true},
	}
}

// TestEachClientGetsWhatItsCapabilitiesAllow sends everything that such a
// client sends: the login that is named, MCP servers, options, and the
// sessions.
func TestEachClientGetsWhatItsCapabilitiesAllow(t *testing.T) {
	t.Parallel()
	for name, capabilities := range greetings() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			e := launch(t, options{})
			call := func(method string, params map[string]any) []byte {
				t.Helper()
				answer := e.answer(e.request(method, params))
				require.Nil(t, answer.Error, method)
				var result struct{ Result json.RawMessage }
				require.NoError(t, json.Unmarshal([]byte(answer.line), &result))
				return result.Result
			}
			var greeting struct {
				AuthMethods []struct{ ID string }
			}
			require.NoError(t, json.Unmarshal(call("initialize", map[string]any{
				"protocolVersion": 1, "clientCapabilities": capabilities,
				"clientInfo": map[string]any{"name": name, "version": "1"},
			}), &greeting))
			require.NotEmpty(t, greeting.AuthMethods)
			call("authenticate", map[string]any{"methodId": greeting.AuthMethods[0].ID})
			var made struct {
				SessionID     string
				ConfigOptions []struct{ ID, CurrentValue string }
			}
			require.NoError(t, json.Unmarshal(call("session/new", map[string]any{"cwd": dir, "mcpServers": []any{
				map[string]any{"name": "files", "command": "/bin/true", "args": []any{}, "env": []any{}},
				map[string]any{"type": "http", "name": "ide", "url": "http://127.0.0.1:9/", "headers": []any{}},
			}}), &made))
			for _, option := range made.ConfigOptions {
				call("session/set_config_option", map[string]any{"sessionId": made.SessionID, "configId": option.ID, "value": option.CurrentValue})
			}
			require.Equal(t, "end_turn", e.stops(e.prompt(made.SessionID, "/say hello")))
			e.saw("hello")
			turn := e.prompt(made.SessionID, "/ask Which? | red | blue")
			asked := e.wait("question", func(m message) bool {
				return m.Method == "elicitation/create" || m.Method == "session/request_permission"
			})
			require.Equal(t, capabilities["elicitation"] != nil, asked.Method == "elicitation/create")
			e.cancel(made.SessionID)
			require.Equal(t, "cancelled", e.stops(turn))
			in := map[string]any{"sessionId": made.SessionID, "cwd": dir, "mcpServers": []any{}}
			require.Contains(t, string(call("session/list", map[string]any{"cwd": dir})), made.SessionID)
			for _, method := range []string{"session/close", "session/resume", "session/close", "session/load", "session/close", "session/delete"} {
				call(method, in)
			}
			require.NotContains(t, string(call("session/list", map[string]any{"cwd": dir})), made.SessionID)
		})
	}
}
