package relay_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
)

// idOf returns the id of a request.
func idOf(t *testing.T, line string) string {
	t.Helper()
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	require.NoError(t, json.Unmarshal([]byte(line), &m))
	return string(m.ID)
}

// say makes a request of the editor, which the agent answers with result.
func (s *stage) say(a *playedAgent, request, result string) string {
	s.t.Helper()
	s.write(s.in, request+"\n")
	line := s.read(a.heard, request)
	s.write(a, `{"jsonrpc":"2.0","id":`+idOf(s.t, line)+`,"result":`+result+"}\n")
	return s.read(s.out, request)
}

// An agent's tools may work in the folder of its process. Sessions in another folder
// then get another process, which ends with the last of them.
func TestEachFolderHasItsProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.Quirks = &quirks.Table{Folders: true} })
		s.write(s.in, hello+"\n")
		s.start()
		require.Empty(t, s.agent.spec.Dir)
		s.read(s.heard, "initialize")
		s.write(s.agent, helloBack+"\n")
		s.read(s.out, "initialize")

		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w/a/","mcpServers":[]}}`+"\n")
		a := <-s.agents
		defer a.exit("exit status 0")
		require.Equal(t, "/w/a", a.spec.Dir)
		require.Contains(t, s.read(a.heard, "initialize"), `"protocolVersion":1`)
		s.write(a, helloBack+"\n")
		s.read(a.heard, "session/new")
		s.write(a, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"S"}}`+"\n")
		require.Contains(t, s.read(s.out, "session/new"), `"sessionId":"S"`)

		second := s.say(a, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/w/a","mcpServers":[]}}`, `{"sessionId":"T"}`)
		require.Contains(t, second, `"sessionId":"T"`)
		require.Contains(t, s.say(a, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"T","prompt":[]}}`, `{"stopReason":"end_turn"}`), "end_turn")
		require.Contains(t, s.say(s.agent, `{"jsonrpc":"2.0","id":4,"method":"_vendor/x","params":{}}`, `{}`), `"result":{}`)

		s.say(a, `{"jsonrpc":"2.0","id":5,"method":"session/close","params":{"sessionId":"S"}}`, `{}`)
		s.say(a, `{"jsonrpc":"2.0","id":6,"method":"session/close","params":{"sessionId":"T"}}`, `{}`)
		_, err := a.heard.ReadString('\n')
		require.Error(t, err, "nobody needs the process any more")
		a.exit("exit status 0")
		require.Contains(t, s.say(s.agent, `{"jsonrpc":"2.0","id":7,"method":"_vendor/x","params":{}}`, `{}`), `"result":{}`)
		s.end()
	})
}

// Two processes may use the same session ids. A process that dies only affects its own
// sessions.
func TestProcessesOfTwoFoldersDoNotDisturbEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.Quirks = &quirks.Table{Folders: true} })
		s.write(s.in, hello+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, helloBack+"\n")
		s.read(s.out, "initialize")
		var agents []*playedAgent
		for _, folder := range []string{"/w/a", "/w/b"} {
			s.write(s.in, `{"jsonrpc":"2.0","id":"`+folder+`","method":"session/new","params":{"cwd":"`+folder+`","mcpServers":[]}}`+"\n")
			a := <-s.agents
			defer a.exit("exit status 0")
			require.Equal(t, folder, a.spec.Dir)
			s.read(a.heard, "initialize")
			s.write(a, helloBack+"\n")
			s.read(a.heard, "session/new")
			s.write(a, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"S"}}`+"\n")
			agents = append(agents, a)
			s.read(s.out, "session/new")
		}
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S-2","prompt":[]}}`+"\n")
		require.Contains(t, s.read(agents[0].heard, "prompt"), `"sessionId":"S"`)
		require.Contains(t, s.read(agents[1].heard, "prompt"), `"sessionId":"S"`)
		agents[0].exit("exit status 1")
		require.Contains(t, s.read(s.out, "prompt"), `"id":1,"error"`)
		s.write(agents[1], `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`+"\n")
		require.Contains(t, s.read(s.out, "prompt"), `"id":2,"result"`)

		// The next prompt starts the process of that folder again.
		s.write(s.in, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		again := <-s.agents
		defer again.exit("exit status 0")
		require.Equal(t, "/w/a", again.spec.Dir)
		s.read(again.heard, "initialize")
		s.write(again, helloBack+"\n")
		require.Contains(t, s.read(again.heard, "session/new"), `"cwd":"/w/a"`)
		s.write(again, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"S2"}}`+"\n")
		require.Contains(t, s.read(s.out, "notice"), "does not remember the conversation")
		require.Contains(t, s.read(again.heard, "prompt"), `"sessionId":"S2"`)
		s.end()
	})
}
