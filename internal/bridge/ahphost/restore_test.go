package ahphost_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A client that goes back to an earlier turn may disconnect before the agent's session is
// copied. The chat stays until then, and shows the outcome when the client comes back.
func TestAClientLeavesWhileItGoesBack(t *testing.T) {
	for outcome, turns := range map[string]int{
		`"result":{"sessionId":"s2"}`:                          0,
		`"error":{"code":-32603,"message":"the disk is full"}`: 1,
	} {
		home := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, home)
			defer w.close()
			reply := func(method, of, rest string) {
				var m heard
				require.NoError(t, json.Unmarshal([]byte(of), &m))
				require.Equal(t, method, m.Method)
				w.agent.Load().say(t, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,`+rest+`}`)
				w.settle()
			}
			a := &mirror{t: t, party: w.connect("a")}
			a.say(t, strings.Replace(hello, "%s", "a", 1))
			a.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
			a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
			a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"one","origin":{"kind":"user"}}}`)
			got := w.settle()
			w.agent.Load().say(t, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"cursor_update","cursorId":"c1","capabilities":{"fork":{}},"anchor":{"type":"user_message","messageId":"t1","position":"before"}}}}`)
			reply("session/prompt", got[len(got)-1], `"result":{"stopReason":"end_turn"}`)
			a.dispatch(chat, `{"type":"chat/truncated"}`)
			got = w.settle()
			require.NoError(t, a.out.Close())
			time.Sleep(time.Minute) // an idle session is detached after half of it
			w.settle()
			reply("session/fork", got[len(got)-1], outcome)
			time.Sleep(time.Minute)
			w.settle()
			require.Empty(t, w.hub.Sessions()[0].Clients, "nobody follows it")

			b := &mirror{t: t, party: w.connect("b")}
			b.say(t, strings.Replace(hello, "%s", "b", 1))
			b.say(t, `{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
			w.settle()
			b.read()
			require.Len(t, b.chat.Turns, turns)
		})
	}
}
