package ahphost_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// Official clients add the duration to a turn's start time. If they can't parse that,
// they drop the action that ends the turn.
func TestEveryRunningTurnHasAStartTime(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		a := w.create()
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"yesterday","message":{"text":"go","origin":{"kind":"user"}}}`)
		w.settle()
		a.read()
		requireTime(t, a.chat.ActiveTurn.StartedAt)
	})
}

// A restarted host reads an editor's turn from the hub's history, which has no times.
func TestRestoredRunningTurnHasAStartTime(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		a := w.create()
		a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
		w.settle()
		zed := w.joined("s1")
		zed.say(t, `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"more"}]}}`)
		w.settle()
		w.host.Close()
		w.begin(2000)
		b := &mirror{t: t, party: w.connect("a")}
		b.say(t, strings.Replace(hello, "%s", "a", 1))
		b.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		w.settle()
		b.read()
		require.NotNil(t, b.chat.ActiveTurn)
		requireTime(t, b.chat.ActiveTurn.StartedAt)
	})
}

// The last editor may close a session while a host opens it for a client.
func TestASessionThatAnEditorClosesMeanwhileIsOpenedAgain(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		a := w.create()
		a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
		w.settle()
		zed := w.joined("s1")
		w.settle()
		w.host.Close()
		attached := 0
		w.calls = func(method string) {
			if method != "session/attach" {
				return
			}
			if attached++; attached == 1 {
				zed.say(t, `{"jsonrpc":"2.0","id":3,"method":"session/close","params":{"sessionId":"s1"}}`)
				time.Sleep(time.Second)
			}
		}
		w.begin(2000)
		b := w.connect("a")
		b.say(t, `{"jsonrpc":"2.0","id":0,"method":"reconnect","params":{"clientId":"a","lastSeenServerSeq":1001,"subscriptions":["`+chat+`"]}}`)
		for range 2 {
			w.settle()
			time.Sleep(time.Second)
		}
		w.settle()
		answer := strings.Join(b.drain(), "\n")
		require.Equal(t, 2, attached)
		require.Contains(t, answer, `"missing":[]`)
		require.Contains(t, answer, `"resource":"`+chat+`"`)
	})
}

// A client that comes back late waits for its slowest chat. Meanwhile the others may have been
// left for so long that they would be closed.
func TestAReconnectKeepsTheChatsThatAreOpen(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		const second = "turnwire:/second"
		a := w.create()
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"createSession","params":{"channel":"`+second+`","provider":"turnwire"}}`)
		chats := []string{chat, ahp.ChatURI(second)}
		for i, channel := range chats {
			a.dispatch(channel, fmt.Sprintf(`{"type":"chat/turnStarted","turnId":"t%d","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`, i))
			for _, line := range w.settle() {
				if strings.Contains(line, `"session/prompt"`) {
					var m heard
					require.NoError(t, json.Unmarshal([]byte(line), &m))
					w.agent.Load().say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`, m.ID))
				}
			}
		}
		w.settle()
		w.host.Close()
		w.begin(2000)

		b := w.connect("a")
		b.say(t, `{"jsonrpc":"2.0","id":0,"method":"reconnect","params":{"clientId":"a","lastSeenServerSeq":1001,"subscriptions":["`+chat+`"]}}`)
		w.settle()
		require.NoError(t, b.out.Close())
		time.Sleep(29 * time.Second)
		w.calls = func(method string) {
			if method == "session/resume" {
				time.Sleep(5 * time.Second)
			}
		}
		c := w.connect("a")
		c.say(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"reconnect","params":{"clientId":"a","lastSeenServerSeq":1,"subscriptions":[%q,%q]}}`, chats[0], chats[1]))
		w.settle()
		time.Sleep(10 * time.Second)
		w.settle()
		require.Contains(t, strings.Join(c.drain(), "\n"), `"missing":[]`)
	})
}

func requireTime(t *testing.T, text string) {
	t.Helper()
	_, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
}
