package relay_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/memdisk"
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

// The user is told what happened and what to do if a restarted agent doesn't open the session
// again. The next prompt tries again.
func TestAnAgentThatDoesNotReopenASessionIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setUp(t, func(c *relayConfig) { c.Agent.StartTimeout = 10 * time.Second })
		able := strings.Replace(helloBack, "{}", `{"loadSession":true}`, 1)
		s.greetAs(able)
		s.agent.exit("exit status 1")
		synctest.Wait()
		prompt := `{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}` + "\n"
		s.write(s.in, fmt.Sprintf(prompt, 2))
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, able+"\n")
		require.Contains(t, s.read(s.heard, "session/load"), "session/load")
		failed := s.read(s.out, "the failed prompt")
		require.Contains(t, failed, "the agent `teapot` did not open the session again within 10s; send your message again, or start a new session")
		require.NotContains(t, failed, "deadline")
		s.write(s.in, fmt.Sprintf(prompt, 3))
		for !strings.Contains(s.read(s.heard, "session/load"), `"method":"session/load"`) {
		}
		s.end()
	})
}

// A session that was opened before the agent was ready is forked in the right order, too.
func TestAPromptDoesNotOvertakeAFork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := memdisk.New()
		s := setUp(t, func(c *relayConfig) {
			c.Agent.Command, c.Journal, c.Key = true, journal.NewFolderIn(disk, "/saved"), "teapot"
		})
		s.write(s.in, hello+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.read(s.out, "initialize") // after a while
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
		var opened struct{ Result struct{ SessionID string } }
		require.NoError(t, json.Unmarshal([]byte(s.read(s.out, "session/new")), &opened))
		require.Contains(t, s.read(s.out, "the hint"), "has not responded yet")
		disk.Slow(time.Second)
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/fork","params":{"sessionId":"`+opened.Result.SessionID+`","cwd":"/"}}`+"\n")
		s.write(s.in, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"`+opened.Result.SessionID+`","prompt":[]}}`+"\n")
		s.write(s.agent, strings.Replace(helloBack, `"agentCapabilities":{}`, `"agentCapabilities":{"loadSession":true,"sessionCapabilities":{"fork":{}}}`, 1)+"\n")
		s.answer("session/new", `{"sessionId":"S"}`)
		forking := s.read(s.heard, "session/fork")
		require.Contains(t, forking, `"method":"session/fork","params":{"sessionId":"S"`)
		s.write(s.agent, `{"jsonrpc":"2.0","id":`+idOf(t, forking)+`,"result":{"sessionId":"T"}}`+"\n")
		s.answer("session/prompt", `{"stopReason":"end_turn"}`)
		for range 2 { // the prompt, and the fork, which waits for the disk
			require.Contains(t, s.read(s.out, "the response"), `"result"`)
		}
		disk.Slow(0)
		s.end()
	})
}

// An amendable is a source whose initialize responses may be replaced later.
type amendable struct {
	core.Source

	amended chan string
}

func (a amendable) Call(c *core.Call) {
	c.OnAmend(func(result []byte) { a.amended <- string(result) })
	a.Source.Call(c)
}

// The client of an agent that is slow to start, or is started again, may want the agent's
// response later.
func TestALateInitializeResponseIsPassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		amended := make(chan string, 8)
		s := setUpBehind(t, nil, func(source core.Source) core.Source { return amendable{source, amended} })
		s.write(s.in, hello+"\n")
		s.start()
		s.read(s.heard, "initialize")
		require.Contains(t, s.read(s.out, "initialize"), `"agentCapabilities":{}`)
		synctest.Wait()
		require.Empty(t, amended)
		s.write(s.agent, strings.Replace(helloBack, "{}", `{"promptCapabilities":{"image":true}}`, 1)+"\n")
		require.JSONEq(t, `{"protocolVersion":1,"agentCapabilities":{"promptCapabilities":{"image":true}},
			"agentInfo":{"name":"turnwire","title":"teapot","version":"1.2.3"}}`, <-amended)

		s.agent.exit("exit status 1")
		synctest.Wait()
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, strings.Replace(helloBack, "{}", `{"loadSession":true}`, 1)+"\n")
		require.Contains(t, <-amended, `"loadSession":true`)
		s.agent.exit("exit status 1")
		require.Contains(t, s.read(s.out, "session/new"), `"id":1,"error"`)

		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, strings.Replace(helloBack, `"protocolVersion":1`, `"protocolVersion":2`, 1)+"\n")
		s.read(s.heard, "session/new")
		synctest.Wait()
		require.Empty(t, amended, "the client has agreed on another version")
		s.end()
	})
}
