package relay_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// misuse starts a relay whose agent is any command.
func misuse(t *testing.T, change func(*relayConfig)) *stage {
	t.Helper()
	s := setUp(t, func(c *relayConfig) {
		c.Agent.Command = true
		if change != nil {
			change(c)
		}
	})
	s.write(s.in, hello+"\n")
	s.start()
	s.read(s.heard, "initialize")
	return s
}

const (
	newSession = `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`
	prompt     = `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"%s","prompt":[]}}`
)

// openProvisional opens a session although the agent is silent, and returns the session's
// id and the notice in it.
func (s *stage) openProvisional() (id, notice string) {
	s.t.Helper()
	require.Contains(s.t, s.read(s.out, "initialize"), `"agentCapabilities":{`)
	s.write(s.in, newSession+"\n")
	var opened struct {
		Result struct{ SessionID string }
	}
	require.NoError(s.t, json.Unmarshal([]byte(s.read(s.out, "session/new")), &opened))
	require.NotEmpty(s.t, opened.Result.SessionID)
	return opened.Result.SessionID, s.read(s.out, "a notice")
}

func TestLinesThatNoACPAgentPrintsEndTheHandshake(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"agent_info","name":"x"}`:                           "the program prints events instead of speaking the Agent Client Protocol; remove --agent acp",
		`{"type":"system","subtype":"init","session_id":"s"}`:        "the program prints Claude Code's stream-json; use --agent claude",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`: "the program repeats its input; check the command after --",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := misuse(t, nil)
			s.write(s.agent, line+"\n")
			failed := s.read(s.out, "initialize")
			require.Contains(t, failed, want)
			require.Contains(t, failed, `"code":"agent_start_failed"`)
			s.end()
		})
	}
}

// A slow agent must not be mistaken for a wrong command: its session opens late, and then
// gets what was sent to it.
func TestASlowAgentGetsANoticeAndContinues(t *testing.T) {
	for line, want := range map[string]string{
		"":                                 "ℹ The agent `teapot` has not responded yet; it may still be starting; if it prints events, remove --agent acp",
		`{"level":30,"msg":"starting"}`:    "ℹ The agent `teapot` has not responded yet; it may still be starting; if it prints events, remove --agent acp",
		`{"type":"error","error":"what?"}`: "⚠ The program prints events instead of speaking the Agent Client Protocol; remove --agent acp, or --acp with turnwire check",
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			s := misuse(t, nil)
			if line != "" {
				s.write(s.agent, line+"\n")
			}
			id, notice := s.openProvisional()
			require.Contains(t, notice, want)
			require.Equal(t, 2500*time.Millisecond, time.Since(began))
			s.write(s.in, fmt.Sprintf(prompt, id)+"\n")
			time.Sleep(30 * time.Second) // a download
			s.write(s.agent, helloBack+"\n")
			require.JSONEq(t, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`, s.read(s.heard, "session/new"))
			s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s","configOptions":[{"id":"model"}]}}`+"\n")
			require.JSONEq(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"model"}]}}}`, id), s.read(s.out, "options"))
			require.Contains(t, s.read(s.heard, "session/prompt"), `"sessionId":"s"`)
			s.write(s.agent, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}}}}`+"\n")
			require.Contains(t, s.read(s.out, "text"), fmt.Sprintf(`"sessionId":%q`, id))
			s.write(s.agent, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`+"\n")
			require.Contains(t, s.read(s.out, "session/prompt"), `"stopReason":"end_turn"`)
			s.end()
		})
	}
}

// An agent that isn't ready when the session is requested gets the request as usual, if it
// responds before the user is told anything.
func TestAnAgentThatRespondsInTimeOpensTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, nil)
		s.write(s.in, newSession+"\n")
		time.Sleep(2 * time.Second)
		s.write(s.agent, helloBack+"\n")
		s.read(s.out, "initialize")
		s.read(s.heard, "session/new")
		s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`+"\n")
		require.Contains(t, s.read(s.out, "session/new"), `"sessionId":"s"`)
		require.Empty(t, s.end())
	})
}

func TestAPromptToAMuteAgentFailsInTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, func(c *relayConfig) { c.Agent.StartTimeout = 20 * time.Second })
		id, _ := s.openProvisional()
		s.write(s.in, fmt.Sprintf(prompt, id)+"\n")
		failed := s.read(s.out, "session/prompt")
		require.Contains(t, failed, "the agent `teapot` did not respond to initialize within 20s")
		require.Contains(t, failed, "if it prints events, remove --agent acp")
		s.write(s.in, fmt.Sprintf(prompt, id)+"\n") // the next prompt starts it again
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, helloBack+"\n")
		s.read(s.heard, "session/new")
		s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`+"\n")
		require.Contains(t, s.read(s.heard, "session/prompt"), `"sessionId":"s"`)
		s.write(s.agent, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`+"\n")
		require.Contains(t, s.read(s.out, "session/prompt"), `"stopReason":"end_turn"`)
		require.Empty(t, s.end())
	})
}

func TestAPromptToASilentAgentCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, nil)
		id, _ := s.openProvisional()
		s.write(s.in, fmt.Sprintf(prompt, id)+"\n")
		s.write(s.in, fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, id)+"\n")
		require.Contains(t, s.read(s.out, "session/prompt"), `"stopReason":"cancelled"`)
		require.Empty(t, s.end())
	})
}

// A slow agent that is known to speak the protocol opens its sessions itself.
func TestASlowAgentThatIsKnownGetsNoHint(t *testing.T) {
	cache := t.TempDir()
	program, err := os.Executable() // the cache knows only programs that exist
	require.NoError(t, err)
	for name, known := range map[string]func(*relayConfig){
		"by its name": func(c *relayConfig) { c.Agent.Command = false },
		"by its last start": func(c *relayConfig) {
			c.Cache, c.Agent.Args = cache, []string{program}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := misuse(t, known)
			if name == "by its last start" {
				s.write(s.agent, helloBack+"\n")
				s.read(s.out, "initialize")
				s.end()
				s = misuse(t, known)
			}
			s.read(s.out, "initialize")
			s.write(s.in, newSession+"\n")
			time.Sleep(30 * time.Second)
			s.write(s.agent, helloBack+"\n")
			s.read(s.heard, "session/new")
			s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`+"\n")
			require.Contains(t, s.read(s.out, "session/new"), `"sessionId":"s"`)
			require.Empty(t, s.end())
		})
	}
}

func TestAFastAgentGetsNoHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, nil)
		s.write(s.agent, helloBack+"\n")
		s.read(s.out, "initialize")
		s.write(s.agent, `{"type":"text_delta","text":"debugging"}`+"\n") // it may print anything now
		time.Sleep(10 * time.Second)
		require.Empty(t, s.end())
	})
}

func TestAnExitBeforeTheHandshakeSuggestsEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, nil)
		s.agent.exit("exit status 1")
		require.Contains(t, s.read(s.out, "initialize"), "The agent stopped (exit status 1); if it prints events, remove --agent acp")
		s.end()
	})
}

// The agent loads a session by the id that it gave late, not by the one that the client got
// before.
func TestASessionThatWasOpenedBeforeTheAgentIsLoadedByTheAgentsID(t *testing.T) {
	folder := t.TempDir()
	able := strings.Replace(helloBack, "{}", `{"loadSession":true,"sessionCapabilities":{"delete":{}}}`, 1)
	var id string
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, func(c *relayConfig) { c.Journal, c.Key = journal.NewFolder(folder), "teapot" })
		id, _ = s.openProvisional()
		s.write(s.in, fmt.Sprintf(prompt, id)+"\n")
		s.write(s.agent, able+"\n")
		s.read(s.heard, "session/new")
		s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`+"\n")
		s.read(s.heard, "session/prompt")
		s.write(s.agent, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`+"\n")
		s.read(s.out, "session/prompt")
		s.end()
	})
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, func(c *relayConfig) { c.Journal, c.Key = journal.NewFolder(folder), "teapot" })
		s.write(s.agent, able+"\n")
		s.read(s.out, "initialize")
		s.write(s.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":%q,"cwd":"/","mcpServers":[]}}`, id)+"\n")
		require.JSONEq(t, `{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s","cwd":"/","mcpServers":[]}}`, s.read(s.heard, "session/load"))
		s.write(s.agent, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}}}}`+"\n")
		require.Contains(t, s.read(s.out, "text"), fmt.Sprintf(`"sessionId":%q`, id))
		s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{}}`+"\n")
		s.read(s.out, "session/load")
		s.end()
	})
	synctest.Test(t, func(t *testing.T) {
		s := misuse(t, func(c *relayConfig) { c.Journal, c.Key = journal.NewFolder(folder), "teapot" })
		s.write(s.agent, able+"\n")
		s.read(s.out, "initialize")
		s.write(s.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"session/delete","params":{"sessionId":%q}}`, id)+"\n")
		require.Contains(t, s.read(s.heard, "session/delete"), `"sessionId":"s"`)
		s.write(s.agent, `{"jsonrpc":"2.0","id":2,"result":{}}`+"\n")
		s.read(s.out, "session/delete")
		s.end()
		_, err := journal.NewFolder(folder).Describe(id)
		require.ErrorIs(t, err, journal.ErrNotFound)
	})
}
