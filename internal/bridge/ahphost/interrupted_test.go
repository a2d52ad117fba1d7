package ahphost_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// VS Code may apply actions that follow the answer to its reconnect before the answer itself.
func TestAClientIsToldWhatWasNotSentOnceItHasReadTheSnapshots(t *testing.T) {
	for name, unsent := range map[string][]string{
		"a queued message": {`{"type":"chat/pendingMessageSet","kind":"queued","id":"q1","message":{"text":"and then","origin":{"kind":"user"}}}`},
		"a turn that waits for the end of a cancelled one": {
			`{"type":"chat/turnCancelled","turnId":"t1"}`,
			`{"type":"chat/turnStarted","turnId":"t2","startedAt":"","message":{"text":"and then","origin":{"kind":"user"}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			synctest.Test(t, func(t *testing.T) { isTold(t, newWorld(t, home), unsent) })
		})
	}
}

// isTold requires that a client learns about the message that some actions left unsent.
func isTold(t *testing.T, w *world, unsent []string) {
	t.Helper()
	defer w.close()
	a := w.create()
	a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
	id := promptID.FindStringSubmatch(strings.Join(w.settle(), "\n"))
	require.NotNil(t, id)
	for _, action := range unsent {
		a.dispatch(chat, action)
	}
	w.settle()
	w.host.Close()
	w.agent.Load().say(t, `{"jsonrpc":"2.0","id":`+id[1]+`,"result":{"stopReason":"end_turn"}}`)
	w.settle()
	w.begin(2000)

	back := func() *party {
		b := w.connect("b")
		b.say(t, `{"jsonrpc":"2.0","id":1,"method":"reconnect","params":{"clientId":"a","lastSeenServerSeq":1001,"subscriptions":["`+chat+`"]}}`)
		w.settle()
		lines := b.drain()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], `"draft":{"text":"and then"`)
		return b
	}
	require.NoError(t, back().out.Close()) // perhaps it has not read the answer
	b := back()
	for _, told := range []bool{true, false} {
		b.say(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		w.settle()
		require.Equal(t, told, strings.Contains(strings.Join(b.drain(), "\n"), "The server was restarted. Not sent: and then"))
	}
}

// The agent may have done what its first message said, although nothing of the turn was saved.
func TestAClientIsToldThatItsFirstMessageMayHaveBeenReceived(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		disk := memdisk.New()
		w.host.Close()
		w.folder, w.files, w.journal = "/saved", disk, journal.NewFolder(folder)
		w.begin(1000)
		a := w.create()
		a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
		a.dispatch(chat, `{"type":"chat/pendingMessageSet","kind":"queued","id":"q1","message":{"text":"and then","origin":{"kind":"user"}}}`)
		require.Contains(t, strings.Join(w.settle(), "\n"), "session/prompt")
		w.files = disk.Copy() // the server is killed now
		w.host.Close()
		w.begin(2000)

		b := w.connect("b")
		b.say(t, `{"jsonrpc":"2.0","id":1,"method":"reconnect","params":{"clientId":"a","lastSeenServerSeq":1001,"subscriptions":["`+chat+`"]}}`)
		b.say(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		w.settle()
		lines := strings.Join(b.drain(), "\n")
		require.Contains(t, lines, `"draft":{"text":"go\nand then"`)
		require.Contains(t, lines, `The server was restarted. Not sent: and then\n\nThe agent may have received this, and its answer is lost: go`)
	})
}
