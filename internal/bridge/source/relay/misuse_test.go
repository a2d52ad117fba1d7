package relay_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// misuse starts a relay and returns what it hints at.
func misuse(t *testing.T) (s *stage, hints chan string) {
	t.Helper()
	hints = make(chan string, 8)
	s = setUp(t, func(c *relayConfig) {
		c.Agent.Command = true
		c.Hint = func(text string) { hints <- text }
	})
	s.write(s.in, hello+"\n")
	s.start()
	s.read(s.heard, "initialize")
	return s, hints
}

func TestLinesThatNoACPAgentPrintsEndTheHandshake(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"agent_info","name":"x"}`:                           "the program prints events instead of speaking the Agent Client Protocol; remove --agent acp",
		`{"type":"system","subtype":"init","session_id":"s"}`:        "the program prints Claude Code's stream-json; use --agent claude",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`: "the program repeats its input; check the command after --",
	} {
		synctest.Test(t, func(t *testing.T) {
			s, hints := misuse(t)
			s.write(s.agent, line+"\n")
			failed := s.read(s.out, "initialize")
			require.Contains(t, failed, want)
			require.Contains(t, failed, `"code":"agent_start_failed"`)
			require.Empty(t, hints, "the error says it")
			s.end()
		})
	}
}

func TestASlowAgentGetsAHintAndContinues(t *testing.T) {
	for line, want := range map[string]string{
		"":                                 "the agent `teapot` has not responded yet; it may still be starting; if it prints events, remove --agent acp",
		`{"level":30,"msg":"starting"}`:    "the agent `teapot` has not responded yet; it may still be starting; if it prints events, remove --agent acp",
		`{"type":"error","error":"what?"}`: "the program prints events instead of speaking the Agent Client Protocol; remove --agent acp, or --acp with turnwire check",
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			s, hints := misuse(t)
			if line != "" {
				s.write(s.agent, line+"\n")
			}
			require.Equal(t, want, <-hints)
			require.Equal(t, 2500*time.Millisecond, time.Since(began))
			require.Contains(t, s.read(s.out, "initialize"), `"agentCapabilities":{}`)
			time.Sleep(30 * time.Second) // a download
			s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
			s.write(s.agent, helloBack+"\n")
			s.read(s.heard, "session/new")
			s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`+"\n")
			require.Contains(t, s.read(s.out, "session/new"), `"sessionId":"s"`)
			require.Empty(t, hints)
			s.end()
		})
	}
}

func TestASlowAgentThatIsKnownGetsNoHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hints := make(chan string, 8)
		s := setUp(t, func(c *relayConfig) { c.Hint = func(text string) { hints <- text } })
		s.write(s.in, hello+"\n")
		s.start()
		s.read(s.heard, "initialize")
		require.Contains(t, s.read(s.out, "initialize"), `"agentCapabilities":{}`)
		require.Empty(t, hints)
		s.end()
	})
}

func TestAFastAgentGetsNoHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, hints := misuse(t)
		s.write(s.agent, helloBack+"\n")
		s.read(s.out, "initialize")
		s.write(s.agent, `{"type":"text_delta","text":"debugging"}`+"\n") // it may print anything now
		time.Sleep(10 * time.Second)
		require.Empty(t, hints)
		s.end()
	})
}

func TestAnExitBeforeTheHandshakeSuggestsEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := misuse(t)
		s.agent.exit("exit status 1")
		require.Contains(t, s.read(s.out, "initialize"), "The agent stopped (exit status 1); if it prints events, remove --agent acp")
		s.end()
	})
}
