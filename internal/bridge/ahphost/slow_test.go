package ahphost_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A client that does not read delays nobody. If it falls too far behind, it is
// disconnected; after it reconnects, it has everything.
func TestAClientThatDoesNotReadIsDisconnected(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		good := &mirror{t: t, party: w.connect("good")}
		good.say(t, strings.Replace(hello, "%s", "good", 1))
		good.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
		good.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		good.dispatch(chat, `{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}`)
		prompt := w.settle()
		require.Contains(t, prompt[len(prompt)-1], "session/prompt")

		in, write := io.Pipe()
		read, out := io.Pipe()
		ended := false
		w.work.Go(func() {
			_ = w.host.ServeFrom(context.Background(), consent.Client{}, in, out, in.Close)
			ended = true
		})
		_, err := io.WriteString(write, strings.Replace(hello, "%s", "bad", 1)+"\n")
		require.NoError(t, err)
		_, err = bufio.NewReader(read).ReadString('\n')
		require.NoError(t, err)
		_, err = io.WriteString(write, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`+"\n")
		require.NoError(t, err)
		w.settle()

		const pieces = 9 // of 1 MiB each: more than the host queues for a client
		piece := strings.Repeat("x", 1<<20)
		for i := range pieces {
			w.agent.Load().say(t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%d%s"}}}}`, i, piece))
		}
		w.settle()
		good.read()
		require.Len(t, good.chat.ActiveTurn.ResponseParts[0].Content.String(), pieces<<20+pieces)
		require.False(t, ended, "what it has been told waits for it")
		require.NoError(t, read.Close())
		w.settle()
		require.True(t, ended)

		back := &mirror{t: t, party: w.connect("bad")}
		back.say(t, `{"jsonrpc":"2.0","id":1,"method":"reconnect","params":{"clientId":"bad","lastSeenServerSeq":1,"subscriptions":["`+chat+`"]}}`)
		w.settle()
		back.read()
		require.Equal(t, good.chat.ActiveTurn, back.chat.ActiveTurn)
		require.NoError(t, write.Close())
	})
}
