package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol/remote"
	"github.com/turnwire/turnwire/protocol/remote/server"
)

func TestConnectionsAreBounded(t *testing.T) {
	web, _ := start(t, server.Limits{Conns: 2}, nil, agent)
	c := connect(t, web.URL)
	connect(t, web.URL)
	r := send(t, http.MethodPost, web.URL, hello)
	require.Equal(t, http.StatusServiceUnavailable, r.status)
	require.Equal(t, "1", r.header.Get("Retry-After"))
	_, r = upgrade(t, web.URL, nil)
	require.Equal(t, http.StatusServiceUnavailable, r.status)
	require.Equal(t, http.StatusAccepted, send(t, http.MethodDelete, web.URL, "", remote.HeaderConnection, c.id).status)
	require.Eventually(t, func() bool {
		return send(t, http.MethodPost, web.URL, hello).status == http.StatusOK
	}, patience, 10*time.Millisecond)
}

func TestRequestsAndStreamsAreBounded(t *testing.T) {
	web, _ := start(t, server.Limits{Requests: 2, Streams: 3}, nil, agent)
	c := connect(t, web.URL)
	ask := `{"jsonrpc":"2.0","id":%d,"method":"x"}`
	require.Equal(t, http.StatusAccepted, c.post(fmt.Sprintf(ask, 2), ""))
	require.Equal(t, http.StatusAccepted, c.post(fmt.Sprintf(ask, 3), ""))
	require.Equal(t, http.StatusTooManyRequests, c.post(fmt.Sprintf(ask, 4), ""))
	c.events("a") // and that of s, for which something waits
	c.events("b")
	require.Equal(t, http.StatusTooManyRequests,
		send(t, http.MethodGet, web.URL, "", remote.HeaderConnection, c.id, remote.HeaderSession, "c", "Accept", "text/event-stream").status)
}

// A client that does not read is given up, and meanwhile another one is served.
func TestAClientThatReadsNothingIsGivenUp(t *testing.T) {
	for _, kind := range []string{"websocket", "http", "http without a stream"} {
		t.Run(kind, func(t *testing.T) {
			started, ended := make(chan struct{}), make(chan error, 1)
			var first atomic.Bool
			web, _ := start(t, server.Limits{Stall: 300 * time.Millisecond, Buffer: 1 << 16}, nil, func(ctx context.Context, c *server.Conn) {
				mine := first.CompareAndSwap(false, true)
				if mine {
					close(started)
				}
				agent(ctx, c)
				if mine {
					_, err := io.WriteString(c, "x\n")
					ended <- err
				}
			})
			flood := `{"jsonrpc":"2.0","method":"flood"}`
			switch kind {
			case "websocket":
				ws, _ := upgrade(t, web.URL, nil)
				require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte(flood)))
			default:
				c := connect(t, web.URL)
				if kind == "http" {
					c.events("s")
				}
				require.Equal(t, http.StatusAccepted, c.post(flood, ""))
			}
			<-started // a WebSocket is open before it is served
			other := connect(t, web.URL)
			stream, _ := other.events("s")
			require.Equal(t, http.StatusAccepted, other.post(`{"jsonrpc":"2.0","method":"x"}`, ""))
			require.Contains(t, stream(), `"method":"x"`)
			select {
			case err := <-ended:
				require.Error(t, err, "the agent's side is told")
			case <-time.After(patience):
				require.Fail(t, "it is still waited for")
			}
		})
	}
}

func TestAConnectionWithoutAStreamIsGivenUp(t *testing.T) {
	over := make(chan struct{})
	web, _ := start(t, server.Limits{Orphan: 50 * time.Millisecond}, nil, func(ctx context.Context, c *server.Conn) {
		defer close(over)
		agent(ctx, c)
	})
	connect(t, web.URL)
	select {
	case <-over:
	case <-time.After(patience):
		require.Fail(t, "it is still there")
	}
}

func TestWithoutAGuardEverybodyStaysValid(t *testing.T) {
	h := server.New(server.Limits{Heartbeat: time.Millisecond}, slog.New(slog.DiscardHandler), agent)
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close(context.Background())
		web.Close()
	})
	c := connect(t, web.URL)
	r := open(t, http.MethodGet, web.URL, "", remote.HeaderConnection, c.id, "Accept", "text/event-stream")
	line, err := bufio.NewReader(r.Body).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, ":\n", line, "a sign of life")
	require.NoError(t, r.Body.Close())
}

// known are tokens that can be revoked.
type known struct{ revoked atomic.Bool }

func (k *known) Find(token string) (string, bool) { return "n", token == "t" && !k.revoked.Load() }

func TestARevokedTokenEndsItsConnections(t *testing.T) {
	k := new(known)
	web, _ := start(t, server.Limits{Heartbeat: 10 * time.Millisecond}, k, agent)
	bearer := []string{"Authorization", "Bearer t"}
	ws, _ := upgrade(t, web.URL, http.Header{"Authorization": {"Bearer t"}})
	r := send(t, http.MethodPost, web.URL, hello, bearer...)
	stream := open(t, http.MethodGet, web.URL, "", append(bearer, remote.HeaderConnection, r.connection, "Accept", "text/event-stream")...)
	defer func() { _ = stream.Body.Close() }()
	k.revoked.Store(true)
	_, _, err := ws.Read(t.Context())
	var closed websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.StatusPolicyViolation, closed.Code)
	_, _ = io.Copy(io.Discard, stream.Body) // it ends
	require.Equal(t, http.StatusUnauthorized, send(t, http.MethodPost, web.URL, hello, bearer...).status)
}

// The end is told to what serves, whose last words reach the clients.
func TestAtTheEndLastWordsAreDelivered(t *testing.T) {
	web, h := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
		go agent(ctx, c)
		<-ctx.Done()
		fmt.Fprintln(c, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":"goodbye"}}`)
	})
	ws, _ := upgrade(t, web.URL, nil)
	c := connect(t, web.URL)
	stream, _ := c.events("s")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.Close(ctx)
	}()
	_, text, err := ws.Read(t.Context())
	require.NoError(t, err)
	require.Contains(t, string(text), "goodbye")
	_, _, err = ws.Read(t.Context())
	require.Equal(t, websocket.StatusGoingAway, websocket.CloseStatus(err))
	require.Contains(t, stream(), "goodbye")
	require.Equal(t, "EOF", stream())
	<-ended
	require.Equal(t, http.StatusServiceUnavailable, send(t, http.MethodPost, web.URL, hello).status)
}

// What serves and does not end is not waited for longer than the end may take,
// and its connection is cut.
func TestTheEndWaitsNoLongerThanItMay(t *testing.T) {
	written := make(chan error, 1)
	web, h := start(t, server.Limits{}, nil, func(_ context.Context, c *server.Conn) {
		in := bufio.NewReader(c)
		for {
			if _, err := in.ReadString('\n'); err != nil {
				break
			}
		}
		_, err := io.WriteString(c, "{}\n")
		written <- err
	})
	upgrade(t, web.URL, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	h.Close(ctx)
	require.Error(t, <-written)
}

// A client that sends headers byte by byte, or half a message, costs nobody else
// anything.
func TestAClientThatBreaksOffIsForgotten(t *testing.T) {
	over := make(chan struct{}, 1)
	web, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
		agent(ctx, c)
		over <- struct{}{}
	})
	c, err := net.Dial("tcp", strings.TrimPrefix(web.URL, "http://"))
	require.NoError(t, err)
	_, err = fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	require.NoError(t, err)
	require.NoError(t, c.Close())

	ws, _ := upgrade(t, web.URL, nil)
	require.NoError(t, ws.CloseNow())
	select {
	case <-over:
	case <-time.After(patience):
		require.NoError(t, errors.New("a WebSocket that has broken off is still served"))
	}
}
