package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

// A connection may end within a frame. What arrived of it is no message.
func TestACutMessageIsNoMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 1)
		w, _ := start(t, server.Limits{}, nil, func(_ context.Context, c *server.Conn) {
			text, _ := io.ReadAll(c)
			got <- string(text)
		})
		c := w.dial()
		_, err := fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
		require.NoError(t, err)
		r, err := http.ReadResponse(bufio.NewReader(c), nil) //nolint:bodyclose // it has none
		require.NoError(t, err)
		require.Equal(t, http.StatusSwitchingProtocols, r.StatusCode)
		_, err = c.Write([]byte{0x81, 0x80 | 5, 0, 0, 0, 0}) // the header of a text frame of 5 bytes
		require.NoError(t, err)
		require.NoError(t, c.Close())
		require.Empty(t, <-got)
	})
}
