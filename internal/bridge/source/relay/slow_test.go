package relay_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	hello     = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`
	helloBack = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}`
)

// greet performs the handshake, and opens the session S.
func (s *stage) greet() { s.greetAs(helloBack) }

// greetAs is like greet, with another initialize response.
func (s *stage) greetAs(helloBack string) {
	s.t.Helper()
	s.write(s.in, hello+"\n")
	s.start()
	s.read(s.heard, "initialize")
	s.write(s.agent, helloBack+"\n")
	s.read(s.out, "initialize")
	s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
	s.read(s.heard, "session/new")
	s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"S"}}`+"\n")
	s.read(s.out, "session/new")
}

// The agent writes more than the pipes and Turnwire hold while the editor does not
// read. The editor's cancel reaches it anyway, and nothing is lost.
func TestASlowEditorBlocksTheAgentAndCanCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, nil)
		s.greet()
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		s.read(s.heard, "session/prompt")
		const lines = 2000
		written := make(chan error, 1)
		go func() {
			pad := strings.Repeat("x", 2000)
			for n := range lines {
				_, err := fmt.Fprintf(s.agent, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"_n","n":%d,"pad":%q}}}`+"\n", n, pad)
				if err != nil {
					written <- err
					return
				}
			}
			written <- nil
		}()
		s.write(s.in, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"S"}}`+"\n")
		require.Contains(t, s.read(s.heard, "session/cancel"), "session/cancel")
		select {
		case err := <-written:
			require.NoError(t, err)
			require.Fail(t, "4 MB were taken from the agent though the editor has read nothing")
		default:
		}
		next := 0
		for next < lines {
			var m struct {
				Params struct{ Update struct{ N int } }
				Result json.RawMessage
			}
			require.NoError(t, json.Unmarshal([]byte(s.read(s.out, "updates")), &m))
			if m.Result != nil {
				continue // the prompt is answered as cancelled meanwhile
			}
			require.Equal(t, next, m.Params.Update.N)
			next++
		}
		require.NoError(t, <-written)
	})
}

func TestAFailedStartIsAnErrorWithTheAgentsName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.Args, c.Agent.Start = []string{"no-such-agent-anywhere"}, nil })
		s.write(s.in, hello+"\n")
		require.Contains(t, s.read(s.out, "initialize"), "start no-such-agent-anywhere")
		s.write(s.in, strings.Replace(hello, `"id":0`, `"id":1`, 1)+"\n")
		require.Contains(t, s.read(s.out, "initialize"), "start no-such-agent-anywhere")
		require.Empty(t, s.end())
	})
}

// An agent's initialize response is cached, and used at once at its next start.
func TestAnAgentsCapabilitiesAreRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := t.TempDir()
		remembering := func(c *relayConfig) { c.Cache = cache }
		s := setUp(t, remembering)
		s.greet()
		s.end()
		s = setUp(t, remembering)
		s.write(s.in, hello+"\n")
		require.Contains(t, s.read(s.out, "initialize"), `"agentCapabilities":{}`, "before the agent has said a word")
		s.start()
		s.read(s.heard, "initialize")
		s.end()
		// Another request may get another response.
		s = setUp(t, remembering)
		s.write(s.in, strings.Replace(hello, `"protocolVersion":1`, `"protocolVersion":1,"clientCapabilities":{}`, 1)+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, strings.Replace(helloBack, "{}", `{"loadSession":true}`, 1)+"\n")
		require.Contains(t, s.read(s.out, "initialize"), `"loadSession":true`)
		s.end()
	})
}

// A silent agent is killed, but not while it waits for the user.
func TestASilentAgentIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.IdleTimeout = 10 * time.Second })
		s.greet()
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		require.Contains(t, s.read(s.out, "session/prompt"), "was silent for")
		s.end()
	})
}

// While the editor doesn't read, the agent can't write. That is not silence.
func TestAnAgentIsNotSilentWhileTheEditorDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.IdleTimeout = 10 * time.Second })
		s.greet()
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		s.read(s.heard, "session/prompt")
		const texts = 1000
		text := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + strings.Repeat("tea", 1000) + `"}}}}`
		go func() {
			_, _ = io.WriteString(s.agent, strings.Repeat(text+"\n", texts)+`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`+"\n")
		}()
		time.Sleep(30 * time.Second) // on the bubble's clock
		for range texts {
			require.Equal(t, text, s.read(s.out, "session/update"))
		}
		require.Contains(t, s.read(s.out, "session/prompt"), "end_turn")
		s.end()
	})
}

// A server that is itself Turnwire ends a cancelled turn on its agent's behalf.
func TestAServerEndsItsOwnCancelledTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.CancelGrace = time.Second })
		s.greetAs(strings.Replace(helloBack, `"agentCapabilities":{}`, `"agentCapabilities":{"sessionCapabilities":{"attach":{}}}`, 1))
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		s.read(s.heard, "session/prompt")
		s.write(s.in, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"S"}}`+"\n")
		s.read(s.heard, "session/cancel")
		time.Sleep(10 * time.Second) // on the bubble's clock
		s.write(s.agent, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"cancelled","_meta":{"of":"the server"}}}`+"\n")
		require.Contains(t, s.read(s.out, "session/prompt"), "the server")
		s.end()
	})
}
