package serve_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

// dial connects to a server without sending anything.
func dial(t *testing.T, address string) net.Conn {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	c, err := net.Dial("tcp", u.Host)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(time.Minute))) // ends a test that hangs
	return c
}

// The server doesn't wait for the body of a request without a token.
func TestRefusedRequestIsAnsweredWithoutItsBody(t *testing.T) {
	urls := run(t, serve.Config{Listen: "localhost:0", Tokens: tokens{"secret": "laptop"}})
	c := dial(t, urls[1])
	_, err := io.WriteString(c, "POST /acp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n")
	require.NoError(t, err)
	answer, err := io.ReadAll(c)
	require.NoError(t, err)
	require.Contains(t, string(answer), "401 Unauthorized")
}

// However many strangers connect, a client with a token is admitted, and stays connected.
func TestStrangersCannotKeepClientsOut(t *testing.T) {
	urls := run(t, serve.Config{Listen: "localhost:0", Tokens: tokens{"secret": "laptop"}})
	header := http.Header{"Authorization": {"Bearer secret"}}
	friend, err := client.Open(client.Config{URL: urls[0], Header: header})
	require.NoError(t, err)
	defer func() {
		_ = friend.Close()
		<-friend.Done()
	}()
	answers := bufio.NewReader(friend)
	ask := func(line string) string {
		_, err := io.WriteString(friend, line+"\n")
		require.NoError(t, err)
		answer, err := answers.ReadString('\n')
		require.NoError(t, err)
		return answer
	}
	require.Contains(t, ask(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`), "laptop") // until then, it is a stranger too
	var strangers []net.Conn
	for range 80 {
		c := dial(t, urls[1])
		_, err := io.WriteString(c, "POST /acp HTTP/1.1\r\n")
		require.NoError(t, err)
		strangers = append(strangers, c)
	}
	_, err = strangers[0].Read(make([]byte, 1))
	require.Error(t, err, "the oldest was ended")
	require.NotErrorIs(t, err, net.ErrClosed)
	require.False(t, isTimeout(err), "the oldest was ended")
	require.Contains(t, greet(t, client.Config{URL: urls[1], Header: header}), "laptop")
	require.Contains(t, ask(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`), "laptop", "it is still connected")
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}
