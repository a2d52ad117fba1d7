package ahphost_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
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

func requireTime(t *testing.T, text string) {
	t.Helper()
	_, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
}
