package relay_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// While the store saves, closes, deletes, names and copies sessions, the agent's other sessions
// go on: it hears prompts, answers and cancels.
func TestASilentStoreHoldsUpNoOtherSession(t *testing.T) {
	for name, slow := range map[string]func(s *stage){
		"close": func(s *stage) {
			s.write(s.in, `{"jsonrpc":"2.0","id":9,"method":"session/close","params":{"sessionId":"S"}}`+"\n")
			s.answer("session/close", `{}`)
		},
		"delete": func(s *stage) {
			s.write(s.in, `{"jsonrpc":"2.0","id":9,"method":"session/delete","params":{"sessionId":"S"}}`+"\n")
		},
		"new": func(s *stage) {
			s.write(s.in, `{"jsonrpc":"2.0","id":9,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
			s.answer("session/new", `{"sessionId":"U"}`)
		},
		"fork": func(s *stage) {
			s.write(s.in, `{"jsonrpc":"2.0","id":9,"method":"session/fork","params":{"sessionId":"S","cwd":"/","mcpServers":[]}}`+"\n")
		},
		"load": func(s *stage) {
			s.write(s.in, `{"jsonrpc":"2.0","id":9,"method":"session/load","params":{"sessionId":"other","cwd":"/","mcpServers":[]}}`+"\n")
		},
		"turn": func(s *stage) {
			s.write(s.in, `{"jsonrpc":"2.0","id":9,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
			s.answer("session/prompt", `{"stopReason":"end_turn"}`)
		},
		"text": func(s *stage) {
			update := `{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"` + strings.Repeat("x", 4<<10) + `"}}`
			for range 8 {
				s.write(s.agent, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":`+update+"}}\n")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := memdisk.New()
				s := setUp(t, func(c *relayConfig) { c.Journal, c.Key = journal.NewFolderIn(disk, "/saved"), "teapot" })
				s.greet()
				s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
				s.answer("session/new", `{"sessionId":"T"}`)
				s.read(s.out, "session/new")
				s.write(s.in, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"T","prompt":[]}}`+"\n")
				prompt := s.read(s.heard, "session/prompt")
				s.write(s.agent, `{"jsonrpc":"2.0","id":"ask","method":"session/request_permission","params":{"sessionId":"T","toolCall":{"toolCallId":"c","title":"Boil"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`+"\n")
				asked := idOf(t, s.read(s.out, "session/request_permission"))

				disk.Slow(10 * patience)
				slow(s)
				synctest.Wait()
				s.write(s.in, `{"jsonrpc":"2.0","id":`+asked+`,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}`+"\n")
				require.Contains(t, s.hear("outcome"), `"optionId":"y"`)
				s.write(s.in, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"T"}}`+"\n")
				s.hear("session/cancel")
				s.write(s.agent, `{"jsonrpc":"2.0","id":`+idOf(t, prompt)+`,"result":{"stopReason":"cancelled"}}`+"\n")
				synctest.Wait()
				s.write(s.in, `{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"T","prompt":[]}}`+"\n")
				s.hear("session/prompt")

				disk.Slow(0)
				require.NoError(t, s.in.Close())
				s.agent.exit("exit status 0")
				if err := <-s.served; err != nil {
					t.Log("nobody read the rest:", err)
				}
				time.Sleep(20 * patience) // what is under way takes that long
			})
		})
	}
}

// answer answers a request that the agent reads.
func (s *stage) answer(method, result string) {
	s.t.Helper()
	s.write(s.agent, `{"jsonrpc":"2.0","id":`+idOf(s.t, s.hear(method))+`,"result":`+result+"}\n")
}

// hear reads what the agent is sent until a line contains the text.
func (s *stage) hear(text string) string {
	s.t.Helper()
	for {
		if line := s.read(s.heard, text); strings.Contains(line, text) {
			return line
		}
	}
}

// A session that the agent loads again after it ended is saved as before.
func TestASessionIsSavedAfterItIsLoadedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolderIn(memdisk.New(), "/saved")
		s := setUp(t, func(c *relayConfig) { c.Journal, c.Key = store, "teapot" })
		loads := strings.Replace(helloBack, `"agentCapabilities":{}`, `"agentCapabilities":{"loadSession":true}`, 1)
		s.greetAs(loads)
		s.agent.exit("exit status 0")
		synctest.Wait()
		s.write(s.in, `{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"S","cwd":"/","mcpServers":[]}}`+"\n")
		s.start()
		s.read(s.heard, "initialize")
		s.write(s.agent, loads+"\n")
		s.answer("session/load", `{}`)
		s.read(s.out, "session/load")
		s.write(s.in, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}`+"\n")
		s.answer("session/prompt", `{"stopReason":"end_turn"}`)
		s.read(s.out, "session/prompt")
		s.end()
		var saved []string
		for r, err := range store.Read("S", 1) {
			require.NoError(t, err)
			saved = append(saved, r.Type)
		}
		require.Equal(t, []string{journal.TypePrompt, journal.TypeAnswer}, saved)
	})
}

// An agent may give two sessions one id while the store is looked up.
func TestAnAgentMayUseAnIDTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := memdisk.New()
		s := setUp(t, func(c *relayConfig) { c.Journal, c.Key = journal.NewFolderIn(disk, "/saved"), "teapot" })
		s.greet()
		disk.Slow(time.Second)
		var calls [2]string
		for i := range calls {
			s.write(s.in, `{"jsonrpc":"2.0","id":`+strconv.Itoa(2+i)+`,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`+"\n")
			calls[i] = idOf(t, s.hear("session/new"))
		}
		update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"T","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}` + "\n"
		for _, id := range calls {
			s.write(s.agent, `{"jsonrpc":"2.0","id":`+id+`,"result":{"sessionId":"T"}}`+"\n"+update)
		}
		disk.Slow(0)
		first, second := s.read(s.out, "session/new"), s.read(s.out, "session/new")
		require.Contains(t, first+second, `"sessionId":"T"`)
		require.Contains(t, first+second, `"sessionId":"T-2"`)
		for range 2 {
			require.Contains(t, s.read(s.out, "session/update"), "available_commands_update")
		}
		s.end()
	})
}
