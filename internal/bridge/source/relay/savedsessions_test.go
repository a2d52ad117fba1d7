package relay_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// The input may end while a session is being replayed.
func TestEOFMayArriveWhileASessionIsLoaded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		j, err := store.Create(journal.Header{ID: "S", Agent: "teapot", Cwd: "/w"})
		require.NoError(t, err)
		for i := range 2000 {
			call := fmt.Appendf(nil, `{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"Boil"}`, i)
			require.NoError(t, j.Append(j.Next(), []journal.Record{{Type: journal.TypeUpdate, Data: call}}))
		}
		require.NoError(t, j.Close())
		s := setUp(t, func(c *relayConfig) { c.Journal, c.Key = store, "teapot" })
		s.write(s.in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`+"\n")
		s.start()
		s.read(s.heard, "agent")
		s.write(s.agent, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`+"\n")
		s.read(s.out, "editor")
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/w","mcpServers":[]}}`+"\n")
		s.read(s.out, "editor")
		s.end()
	})
}

// An editor that asks for times gets the time of each replayed update.
func TestASavedSessionIsReplayedWithItsTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		j, err := store.Create(journal.Header{ID: "S", Agent: "teapot", Cwd: "/w"})
		require.NoError(t, err)
		at := time.UnixMilli(1764_000_000_000)
		for i, r := range []journal.Record{
			{Type: journal.TypePrompt, Data: []byte(`{"prompt":[{"type":"text","text":"tea"}]}`)},
			{Type: journal.TypeUpdate, Data: []byte(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"Boil","status":"in_progress"}`)},
			{Type: journal.TypeAnswer, Data: []byte(`{"result":{"stopReason":"end_turn"}}`)},
		} {
			r.Time = at.Add(time.Duration(i) * time.Second)
			require.NoError(t, j.Append(j.Next(), []journal.Record{r}))
		}
		require.NoError(t, j.Close())
		s := setUp(t, func(c *relayConfig) { c.Journal, c.Key = store, "teapot" })
		s.write(s.in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"_meta":{"turnwire.dev/times":true}}}}`+"\n")
		s.start()
		s.read(s.heard, "agent")
		s.write(s.agent, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`+"\n")
		s.read(s.out, "editor")
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/w","mcpServers":[]}}`+"\n")
		for _, want := range []string{
			`"user_message_chunk","content":{"type":"text","text":"tea"}},"_meta":{"turnwire.dev/at":1764000000000}}}`,
			`"status":"in_progress"},"_meta":{"turnwire.dev/at":1764000001000}}}`,
			`"status":"failed"},"_meta":{"turnwire.dev/at":1764000002000}}}`,
		} {
			require.Contains(t, s.read(s.out, "editor"), want)
		}
		s.end()
	})
}

// Prompts that waited for their turns follow each other in the records.
func TestPromptsInARowAreReplayedAsSeveralMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := journal.NewFolder(t.TempDir())
		j, err := store.Create(journal.Header{ID: "S", Agent: "teapot", Cwd: "/w"})
		require.NoError(t, err)
		records := []journal.Record{
			{Type: journal.TypePrompt, Data: []byte(`{"prompt":[{"type":"text","text":"tea"}]}`)},
			{Type: journal.TypePrompt, Data: []byte(`{"prompt":[{"type":"text","text":"milk"},{"type":"text","text":"sugar"}]}`)},
			{Type: journal.TypeAnswer, Data: []byte(`{"result":{"stopReason":"end_turn"}}`)},
			{Type: journal.TypeAnswer, Data: []byte(`{"result":{"stopReason":"end_turn"}}`)},
		}
		require.NoError(t, j.Append(j.Next(), records))
		require.NoError(t, j.Close())
		s := setUp(t, func(c *relayConfig) { c.Journal, c.Key = store, "teapot" })
		s.write(s.in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`+"\n")
		s.start()
		s.read(s.heard, "agent")
		s.write(s.agent, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`+"\n")
		s.read(s.out, "editor")
		s.write(s.in, `{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"S","cwd":"/w","mcpServers":[]}}`+"\n")
		require.NotContains(t, s.read(s.out, "editor"), `"messageId"`)
		for _, text := range []string{"milk", "sugar"} {
			line := s.read(s.out, "editor")
			require.Contains(t, line, text)
			require.Contains(t, line, `"messageId":"prompt-2"`)
		}
		s.end()
	})
}
