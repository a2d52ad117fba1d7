package relay_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// An agent that never answers "initialize" blocks nobody. After a while the editor gets
// a response without capabilities, and requests fail with the reason.
func TestAnAgentThatDoesNotAnswerInitializeIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.StartTimeout = 10 * time.Second })
		s.write(s.in, hello+"\n")
		s.start()
		s.read(s.heard, "initialize")
		require.Contains(t, s.read(s.out, "initialize"), `"agentCapabilities":{}`)
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
		failed := s.read(s.out, "session/new")
		require.Contains(t, failed, "the agent `teapot` did not respond to initialize within 10s; check that it speaks the Agent Client Protocol on its stdin and stdout")
		require.Contains(t, failed, `"code":"agent_start_failed"`)
		s.end()
	})
}

// The editor may try again after an agent died or wrote garbage at its start.
func TestAnAgentThatFailsAtItsStartIsStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, nil)
		s.write(s.in, hello+"\n")
		s.start()
		s.agent.exit("exit status 4")
		require.Contains(t, s.read(s.out, "initialize"), "The agent stopped (exit status 4).")

		s.write(s.in, strings.Replace(hello, `"id":0`, `"id":1`, 1)+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, `{"jsonrpc":"2.0","id":1,"result":{"tea":"green"}}`+"\n")
		require.Contains(t, s.read(s.out, "initialize"), "sent a malformed initialize response")

		s.write(s.in, strings.Replace(hello, `"id":0`, `"id":2`, 1)+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Log in"}}`+"\n")
		require.Contains(t, s.read(s.out, "initialize"), `"error":{"code":-32000,"message":"Log in"}`)

		s.write(s.in, strings.Replace(hello, `"id":0`, `"id":3`, 1)+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, helloBack+"\n")
		require.Contains(t, s.read(s.out, "initialize"), `"id":3,"result"`)
		s.end()
	})
}
