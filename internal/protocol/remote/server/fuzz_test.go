package server_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

// mute answers "initialize", and then writes nothing more.
func mute(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	for lines := bufio.NewReader(c); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if m, err := remote.Parse(line); err == nil && m.IsInitialize() {
			fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`+"\n", m.AppendID(nil))
		}
	}
}

// Whatever a client sends is answered with one of the transport's statuses, and the
// connection remains usable.
func FuzzRequest(f *testing.F) {
	f.Add("POST", `{"method":"x"}`, "application/json", "", "", true)
	f.Add("POST", hello, "application/json", "", "", false)
	f.Add("GET", "", "", "text/event-stream", "s", true)
	f.Add("GET", "", "", "websocket", "", false)
	f.Add("DELETE", "", "", "", "", false)
	f.Add("HEAD", "", "", "", "s", true)
	f.Add("POST", `{"id":[],"method":{},"params":{"sessionId":[]}}`, "application/json;", "", "s\x00", true)
	h := server.New(server.Limits{Conns: 1 << 20, Requests: 1 << 20, Rate: 1 << 20}, slog.New(slog.DiscardHandler), mute)
	url, _ := serve(f, h)
	f.Cleanup(func() { h.Close(context.Background()) })
	statuses := []int{200, 202, 204, 400, 404, 405, 406, 409, 413, 415, 426, 429, 501, 503}
	var c *client
	f.Fuzz(func(t *testing.T, method, body, kind, accept, session string, connected bool) {
		if c == nil {
			c = connect(t, url)
		}
		c.t = t
		r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		if err != nil {
			return // no client can send it
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Accept", accept)
		r.Header.Set(remote.HeaderSession, session)
		if connected && method != http.MethodDelete {
			r.Header.Set(remote.HeaderConnection, c.id)
		}
		a, err := clientOf(url).Do(r)
		if err != nil {
			return
		}
		_ = a.Body.Close()
		require.True(t, slices.Contains(statuses, a.StatusCode), "%d", a.StatusCode)
		require.Equal(t, http.StatusAccepted, c.post(`{"method":"$/x"}`, ""))
	})
}
