package terminal

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestARunUsesTheChosenSession checks which session a turn runs in. The agent answers the given
// methods, one after the other, and then a prompt.
func TestARunUsesTheChosenSession(t *testing.T) {
	const sessions = `{"sessions":[{"sessionId":"old","cwd":"/w","updatedAt":"2026-01-01T00:00:00Z"},{"sessionId":"new","cwd":"/w","updatedAt":"2026-01-02T00:00:00Z"},{"sessionId":"other","cwd":"/else","updatedAt":"2026-01-03T00:00:00Z"}]}`
	for name, c := range map[string]struct {
		able    string
		opts    Options
		answers [][2]string
		session string // of the prompt
		fails   string
	}{
		"named, resumed": {
			able:    `{"loadSession":true,"sessionCapabilities":{"resume":{}}}`,
			opts:    Options{Resume: "a"},
			answers: [][2]string{{"session/resume", `{}`}},
			session: "a",
		},
		"named, loaded": {
			able:    `{"loadSession":true}`,
			opts:    Options{Resume: "a"},
			answers: [][2]string{{"session/load", `{}`}},
			session: "a",
		},
		"the newest of the folder": {
			able:    `{"sessionCapabilities":{"resume":{},"list":{}}}`,
			opts:    Options{Continue: true},
			answers: [][2]string{{"session/list", sessions}, {"session/resume", `{}`}},
			session: "new",
		},
		"there is none": {
			able:    `{"sessionCapabilities":{"resume":{},"list":{}}}`,
			opts:    Options{Continue: true},
			answers: [][2]string{{"session/list", `{"sessions":[]}`}},
			fails:   "open a session: this agent has no session in /w to continue",
		},
		"none is listed": {
			able:  `{"loadSession":true}`,
			opts:  Options{Continue: true},
			fails: "open a session: the agent does not list its sessions: name one with --resume",
		},
		"none is kept": {
			able:  `{"sessionCapabilities":{"list":{}}}`,
			opts:  Options{Resume: "a"},
			fails: "open a session: the agent's sessions are not saved, so none can be continued",
		},
	} {
		t.Run(name, func(t *testing.T) {
			stream, in, out := pipes()
			agent := newScriptedAgent(in, out, "")
			done := make(chan string)
			go func() {
				defer close(done)
				agent.respond("initialize", `{"protocolVersion":1,"authMethods":[],"agentCapabilities":`+c.able+`}`)
				for _, a := range c.answers {
					m := agent.await(a[0])
					if a[0] != "session/list" { // the history is not shown again
						agent.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"of the past"}}}}`)
					}
					agent.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, a[1])
				}
				if c.fails == "" {
					m := agent.await("session/prompt")
					agent.record(incoming{Result: m.Params})
					agent.write(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"now"}}}}`)
					agent.write(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, m.ID)
				}
				for agent.in.Scan() {
				}
			}()
			var stdout bytes.Buffer
			opts := c.opts
			opts.Prompt, opts.Cwd, opts.Stdout, opts.Interrupts = "go", "/w", &stdout, make(chan os.Signal)
			code, err := Run(t.Context(), stream, opts)
			<-done
			if c.fails != "" {
				require.EqualError(t, err, c.fails)
				require.Equal(t, ExitError, code)
				return
			}
			require.NoError(t, err)
			require.Contains(t, agent.answers(), `"sessionId":"`+c.session+`"`)
			require.Contains(t, stdout.String(), "now")
			if len(c.answers) == 1 && c.answers[0][0] == "session/load" {
				require.NotContains(t, stdout.String(), "of the past")
			}
		})
	}
}
