package ahphost_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// A client may start a turn before it learns that its message for the stopped one became the
// draft.
func TestAReturnedMessageStaysTheDraftUntilItIsSent(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		a := w.create()
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		begin := func(turn, text string) string {
			a.dispatch(chat, fmt.Sprintf(`{"type":"chat/turnStarted","turnId":%q,"startedAt":"","message":{"text":%q,"origin":{"kind":"user"}}}`, turn, text))
			id := promptID.FindStringSubmatch(strings.Join(w.settle(), "\n"))
			require.NotNil(t, id)
			return id[1]
		}
		end := func(id, reason string) {
			w.agent.Load().say(t, `{"jsonrpc":"2.0","id":`+id+`,"result":{"stopReason":"`+reason+`"}}`)
			w.settle()
			a.read()
		}
		prompt := begin("t1", "go")
		w.agent.Load().say(t, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"session_info_update","_meta":{"steering":{"supported":true}}}}}`)
		w.settle()
		a.dispatch(chat, `{"type":"chat/pendingMessageSet","kind":"steering","id":"s1","message":{"text":"left","origin":{"kind":"user"}}}`)
		a.dispatch(chat, `{"type":"chat/turnCancelled","turnId":"t1","duration":1}`)
		steering := steeringID.FindStringSubmatch(strings.Join(w.settle(), "\n"))
		require.NotNil(t, steering)
		w.agent.Load().say(t, `{"jsonrpc":"2.0","id":`+steering[1]+`,"error":{"code":-32800,"message":"cancelled"}}`)
		end(prompt, "cancelled")

		end(begin("t2", "something else"), "end_turn")
		require.NotNil(t, a.chat.Draft)
		require.Equal(t, "left", a.chat.Draft.Text)
		end(begin("t3", "go left"), "end_turn")
		require.Nil(t, a.chat.Draft)
	})
}

var steeringID = regexp.MustCompile(`"id":(\d+),"method":"_session/steering"`)
