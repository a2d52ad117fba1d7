package ahphost_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// A client is shown that a message is queued once the message is on disk: if the server is
// killed then, the message becomes the draft.
func TestAQueuedMessageIsShownOnceItIsSaved(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		disk := memdisk.New()
		w.host.Close()
		w.folder, w.files = "/saved", disk
		w.begin(1000)
		a := w.create()
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		a.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
		w.settle()
		a.read()

		disk.Slow(time.Minute)
		a.dispatch(chat, `{"type":"chat/pendingMessageSet","kind":"queued","id":"q1","message":{"text":"later","origin":{"kind":"user"}}}`)
		w.settle()
		a.read()
		require.Empty(t, a.chat.QueuedMessages)
		disk.Slow(0)
		time.Sleep(2 * time.Minute) // what is under way takes two minutes
		w.settle()
		a.read()
		require.Len(t, a.chat.QueuedMessages, 1)

		w.files = disk.Copy()
		w.host.Close()
		w.begin(2000)
		b := &mirror{t: t, party: w.connect("b")}
		b.say(t, strings.Replace(hello, "%s", "b", 1))
		b.say(t, `{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		w.settle()
		b.read()
		require.NotNil(t, b.chat.Draft)
		require.Equal(t, "later", b.chat.Draft.Text)
	})
}
