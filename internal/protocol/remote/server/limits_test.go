package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

func TestConnectionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{Conns: 2}, nil, agent)
		c := connect(t, web.URL)
		c.events("")
		connect(t, web.URL).events("")
		r := send(t, http.MethodPost, web.URL, hello)
		require.Equal(t, http.StatusServiceUnavailable, r.status)
		require.Equal(t, "1", r.header.Get("Retry-After"))
		_, r = upgrade(t, web.URL, nil)
		require.Equal(t, http.StatusServiceUnavailable, r.status)
		require.Equal(t, http.StatusAccepted, send(t, http.MethodDelete, web.URL, "", remote.HeaderConnection, c.id).status)
		synctest.Wait()
		require.Equal(t, http.StatusOK, send(t, http.MethodPost, web.URL, hello).status)
	})
}

func TestRequestsAndStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{Requests: 2, Streams: 3}, nil, agent)
		c := connect(t, web.URL)
		ask := `{"jsonrpc":"2.0","id":%d,"method":"x"}`
		require.Equal(t, http.StatusAccepted, c.post(fmt.Sprintf(ask, 2), ""))
		require.Equal(t, http.StatusAccepted, c.post(fmt.Sprintf(ask, 3), ""))
		require.Equal(t, http.StatusTooManyRequests, c.post(fmt.Sprintf(ask, 4), ""))
		c.events("a") // and that of s, for which something is queued
		c.events("b")
		require.Equal(t, http.StatusTooManyRequests,
			send(t, http.MethodGet, web.URL, "", remote.HeaderConnection, c.id, remote.HeaderSession, "c", "Accept", "text/event-stream").status)
	})
}

// A client that does not read is disconnected, and others are served meanwhile.
func TestClientThatReadsNothingIsDisconnected(t *testing.T) {
	for _, kind := range []string{"websocket", "http", "http without a stream"} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { giveUp(t, kind) })
		})
	}
}

func giveUp(t *testing.T, kind string) {
	started, ended := make(chan struct{}), make(chan error, 1)
	var first atomic.Bool
	limits := server.Limits{Stall: time.Minute, Orphan: time.Hour, Heartbeat: time.Hour, Buffer: 1 << 16}
	web, _ := start(t, limits, nil, func(ctx context.Context, c *server.Conn) {
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
	if kind == "websocket" {
		ws, _ := upgrade(t, web.URL, nil)
		require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte(flood)))
	} else {
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
	time.Sleep(limits.Stall - time.Second)
	require.Empty(t, ended, "it has time")
	time.Sleep(2 * time.Second)
	require.Error(t, <-ended, "the agent's side is told")
}

func TestConnectionWithoutAStreamTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		web, _ := start(t, server.Limits{Orphan: time.Minute}, nil, func(ctx context.Context, c *server.Conn) {
			defer close(over)
			time.Sleep(time.Hour) // until the agent starts, and answers "initialize"
			agent(ctx, c)
		})
		connect(t, web.URL)
		time.Sleep(59 * time.Second)
		synctest.Wait()
		select {
		case <-over:
			require.Fail(t, "it was given up too early")
		default:
		}
		<-over
	})
}

// Connections without a stream do not take places away from others.
func TestConnectionWithoutAStreamMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{Conns: 2}, nil, agent)
		reads := connect(t, web.URL)
		stream, _ := reads.events("")
		first := connect(t, web.URL)
		second := connect(t, web.URL)
		require.Equal(t, http.StatusNotFound, first.post(`{"jsonrpc":"2.0","method":"x"}`, ""))
		second.events("")
		require.Equal(t, http.StatusServiceUnavailable, send(t, http.MethodPost, web.URL, hello).status)
		require.Equal(t, http.StatusAccepted, reads.post(`{"jsonrpc":"2.0","id":2,"method":"session/new"}`, ""))
		require.Contains(t, stream(), `"sessionId":"s"`)
	})
}

// A body that does not arrive gets an error response, and the server stops waiting for
// it.
func TestBodyThatDoesNotArriveTimesOut(t *testing.T) {
	for name, head := range map[string]string{
		"a message":    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"another type": "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				web, _ := start(t, server.Limits{}, nil, agent)
				c := web.dial()
				_, err := io.WriteString(c, head)
				require.NoError(t, err)
				answer, err := io.ReadAll(c)
				require.NoError(t, err)
				require.Contains(t, string(answer), "HTTP/1.1 4")
				require.NoError(t, c.Close())
			})
		})
	}
}

// A client without a connection takes up a place while it sends its first message.
func TestFirstMessagesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{Conns: 1}, nil, agent)
		c := web.dial()
		_, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, http.StatusServiceUnavailable, send(t, http.MethodPost, web.URL, hello).status)
		require.NoError(t, c.Close())
		synctest.Wait()
		connect(t, web.URL)
	})
}

func TestWithoutAGuardConnectionsStayOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := server.New(server.Limits{Heartbeat: time.Minute}, slog.New(slog.DiscardHandler), agent)
		url, _ := serve(t, h)
		t.Cleanup(func() { h.Close(context.Background()) })
		c := connect(t, url)
		r := open(t, http.MethodGet, url, "", remote.HeaderConnection, c.id, "Accept", "text/event-stream")
		line, err := bufio.NewReader(r.Body).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, ":\n", line, "a sign of life")
		require.NoError(t, r.Body.Close())
	})
}

// known contains tokens that can be revoked.
type known struct{ revoked atomic.Bool }

func (k *known) Find(token string) (string, bool) { return "n", token == "t" && !k.revoked.Load() }

// A message with a revoked token is not passed on, whatever the heartbeat interval.
func TestRevokedTokenSendsNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := new(known)
		read := make(chan string)
		web, _ := start(t, server.Limits{Heartbeat: time.Hour}, k, func(_ context.Context, c *server.Conn) {
			defer close(read)
			for lines := bufio.NewScanner(c); lines.Scan(); {
				read <- lines.Text()
			}
		})
		ws, _ := upgrade(t, web.URL, http.Header{"Authorization": {"Bearer t"}})
		require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte("one")))
		require.Equal(t, "one", <-read)
		k.revoked.Store(true)
		require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte("two")))
		_, _, err := ws.Read(t.Context())
		require.Equal(t, websocket.StatusPolicyViolation, websocket.CloseStatus(err))
		more, open := <-read
		require.False(t, open, more)
	})
}

func TestARevokedTokenEndsItsConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := new(known)
		web, _ := start(t, server.Limits{Heartbeat: time.Minute}, k, agent)
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
		_, _ = io.Copy(io.Discard, stream.Body) // the stream ends
		require.Equal(t, http.StatusUnauthorized, send(t, http.MethodPost, web.URL, hello, bearer...).status)
	})
}

// The accept function learns of the end, and its last messages still reach the clients.
func TestLastMessagesAreDeliveredAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
	})
}

// An accept function that does not return is not waited for longer than the end may
// take, and its connection is closed.
func TestShutdownTimeIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
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
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		h.Close(ctx)
		require.Error(t, <-written)
	})
}

// A client that sends headers byte by byte, or half a message, does not affect others.
func TestAClientThatDisconnectsIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{}, 1)
		web, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			agent(ctx, c)
			over <- struct{}{}
		})
		c := web.dial()
		_, err := fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		require.NoError(t, err)
		require.NoError(t, c.Close())

		ws, _ := upgrade(t, web.URL, nil)
		require.NoError(t, ws.CloseNow())
		select {
		case <-over:
		case <-time.After(patience):
			require.NoError(t, errors.New("a WebSocket that has broken off is still served"))
		}
	})
}
