package ahphost_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

var promptID = regexp.MustCompile(`"id":(\d+),"method":"session/prompt"`)

// haveTurns makes a client start turns. In each, the agent sends half a megabyte.
func (w *world) haveTurns(a *mirror, n int) {
	t := w.t
	a.say(t, strings.Replace(hello, "%s", "a", 1))
	a.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
	a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
	for i := range n {
		a.dispatch(chat, fmt.Sprintf(`{"type":"chat/turnStarted","turnId":"t%d","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`, i))
		received := strings.Join(w.settle(), "\n")
		id := promptID.FindStringSubmatch(received)
		require.NotNil(t, id, received)
		w.agent.Load().say(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk",`+
			`"content":{"type":"text","text":"%d: %s"}}}}`, i, strings.Repeat("x", 1<<19)))
		w.agent.Load().say(t, `{"jsonrpc":"2.0","id":`+id[1]+`,"result":{"stopReason":"end_turn"}}`)
		w.settle()
		a.read()
	}
}

// A host keeps the newest turns of a long chat in memory. A client that joins later
// gets these, and can load the others.
func TestOlderTurnsAreLoadedWhenAClientAsks(t *testing.T) {
	home, spool := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		w.host.Close()
		w.spool = spool
		w.begin(2000)
		const turns = 12
		a := &mirror{t: t, party: w.connect("a")}
		w.haveTurns(a, turns)
		require.Len(t, a.chat.Turns, turns, "who was there has them")

		b := &mirror{t: t, party: w.connect("b")}
		b.say(t, strings.Replace(hello, "%s", "b", 1))
		b.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		w.settle()
		b.read()
		require.Less(t, len(b.chat.Turns), turns)
		var ids []string
		for _, turn := range b.chat.Turns {
			ids = append(ids, turn.ID)
		}
		for cursor := b.chat.TurnsNextCursor; cursor != ""; {
			b.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"fetchTurns","params":{"channel":"%s","cursor":%q}}`, chat, cursor))
			w.settle()
			lines := b.drain()
			require.Len(t, lines, 2, "the turns come before the answer")
			require.JSONEq(t, `{"jsonrpc":"2.0","id":3,"result":{}}`, lines[1])
			var loaded struct {
				Params struct {
					Channel string
					Action  struct {
						Type            string
						Turns           []struct{ ID string }
						TurnsNextCursor string
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(lines[0]), &loaded))
			require.Equal(t, "chat/turnsLoaded", loaded.Params.Action.Type)
			require.Equal(t, chat, loaded.Params.Channel)
			require.NotEmpty(t, loaded.Params.Action.Turns)
			var page []string
			for _, turn := range loaded.Params.Action.Turns {
				page = append(page, turn.ID)
			}
			ids, cursor = slices.Concat(page, ids), loaded.Params.Action.TurnsNextCursor
		}
		var want []string
		for i := range turns {
			want = append(want, fmt.Sprintf("t%d", i))
		}
		require.Equal(t, want, ids)
		a.read()
		require.Len(t, a.chat.Turns, turns, "others are not told")

		for _, cursor := range []string{"before-0", "before-1000", "before-x", "x"} {
			b.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":4,"method":"fetchTurns","params":{"channel":"%s","cursor":%q}}`, chat, cursor))
			w.settle()
			require.Contains(t, strings.Join(b.drain(), "\n"), "the cursor does not belong to this chat")
		}
		left, err := os.ReadDir(spool)
		require.NoError(t, err)
		require.Empty(t, left, "nobody finds what was said")
	})
}
