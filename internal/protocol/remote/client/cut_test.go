package client_test

import (
	"crypto/sha1" //nolint:gosec // the handshake of WebSockets uses it
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

// A connection may end within a frame. What arrived of it is no message.
func TestACutMessageIsNoMessage(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // see above
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n\r\n",
			base64.StdEncoding.EncodeToString(sum[:]))
		_, _ = c.Write([]byte{0x81, 5}) // the header of a text frame of 5 bytes
		_ = c.Close()
	}))
	defer web.Close()
	c := dial(t, client.Config{URL: "ws" + web.URL[len("http"):]})
	require.Equal(t, "EOF", talk(c)())
	requireClosed(t, c)
	require.ErrorContains(t, c.Err(), "the server disconnected")
}
