package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

func TestAConversationOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		c := connect(t, web.URL)
		connection, _ := c.events("")
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{}}`, ""))
		require.Equal(t, `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s"}}`, connection())

		session, _ := c.events("s")
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}`, "s"))
		require.Contains(t, session(), "session/request_permission")
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":"p1","result":{}}`, "s"))
		require.Contains(t, session(), "end_turn", "the answer to a prompt is on the stream of its session")

		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0",`+"\n"+`"method":"$/x","params":{"sessionId":"s"}}`, ""), "it belongs to the connection")
		require.Contains(t, session(), `"$/x"`)

		gone := send(t, http.MethodDelete, web.URL, "", remote.HeaderConnection, c.id)
		require.Equal(t, http.StatusAccepted, gone.status)
		require.Empty(t, gone.body)
		require.Equal(t, "EOF", connection())
		require.Equal(t, "EOF", session())
		require.Equal(t, http.StatusNotFound, c.post(`{"jsonrpc":"2.0","method":"x"}`, ""))
	})
}

// The protocol requires the history before the response to session/load. A client that
// opens the session's stream only after that response gets it on the connection's
// stream.
func TestTheHistoryPrecedesTheLoadResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		for range 30 {
			c := connect(t, web.URL)
			session, closeSession := c.events("s")
			require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s"}}`, "s"))
			require.Contains(t, session(), `"update":1`)
			require.Contains(t, session(), `"update":2`)
			require.Equal(t, `{"jsonrpc":"2.0","id":2,"result":{}}`, session())
			closeSession()
			require.Equal(t, http.StatusAccepted, send(t, http.MethodDelete, web.URL, "", remote.HeaderConnection, c.id).status)
		}
	})
}

// A client that ended a connection can open its sessions on another one.
func TestAClientThatWaitsForTheLoadResponseGetsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		c := connect(t, web.URL)
		connection, _ := c.events("")
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"s"}}`, "s"))
		require.Equal(t, `{"jsonrpc":"2.0","id":2,"result":{}}`, connection())
		session, _ := c.events("s")
		require.Contains(t, session(), `"update":1`)
		require.Contains(t, session(), `"update":2`)
	})
}

// A cancellation names no session, and must not precede the request that it cancels.
func TestACancellationFollowsItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			fmt.Fprintln(c, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`)
			fmt.Fprintln(c, `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s"}}`)
			fmt.Fprintln(c, `{"jsonrpc":"2.0","id":8,"method":"_own/ask"}`)
			fmt.Fprintln(c, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}`)
			fmt.Fprintln(c, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":8}}`)
			_, _ = io.Copy(io.Discard, c)
		})
		c := connect(t, web.URL)
		connection, _ := c.events("")
		session, _ := c.events("s")
		require.Contains(t, session(), "request_permission")
		require.Contains(t, session(), `"requestId":7`)
		require.Contains(t, connection(), "_own/ask")
		require.Contains(t, connection(), `"requestId":8`)
	})
}

func TestDeleteIsAnsweredWhenTheConnectionHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var over atomic.Bool
		web, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			agent(ctx, c)
			time.Sleep(time.Second) // what it has started takes a while to end
			over.Store(true)
		})
		c := connect(t, web.URL)
		require.Equal(t, http.StatusAccepted, send(t, http.MethodDelete, web.URL, "", remote.HeaderConnection, c.id).status)
		require.True(t, over.Load())
	})
}

// JSON may have a CR between its tokens. In an event, it would end the line.
func TestCarriageReturnInAMessageSplitsNoEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			fmt.Fprintln(c, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`)
			fmt.Fprint(c, "{\"jsonrpc\":\"2.0\",\r\"method\":\"x\"}\n")
			_, _ = io.Copy(io.Discard, c)
		})
		next, _ := connect(t, web.URL).events("")
		require.Equal(t, `{"jsonrpc":"2.0", "method":"x"}`, next())
	})
}

func TestMessagesWaitForAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		c := connect(t, web.URL)
		for range 3 {
			require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`, "s"))
		}
		first, closeIt := c.events("s")
		require.Contains(t, first(), "session/cancel")
		require.Contains(t, first(), "session/cancel")
		require.Contains(t, first(), "session/cancel")
		require.Equal(t, http.StatusConflict, send(t, http.MethodGet, web.URL, "", remote.HeaderConnection, c.id, remote.HeaderSession, "s", "Accept", "text/event-stream").status)
		closeIt()
		synctest.Wait()
		r := open(t, http.MethodGet, web.URL, "", remote.HeaderConnection, c.id, remote.HeaderSession, "s", "Accept", "text/event-stream")
		require.NoError(t, r.Body.Close())
		require.Equal(t, http.StatusOK, r.StatusCode, "a stream that was left can be read again")
	})
}

func TestEveryBadRequestIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, tokens{"mine": "m", "other": "o"}, agent)
		mine := []string{"Authorization", "Bearer mine"}
		c := connect(t, web.URL, mine...)
		id := append([]string{remote.HeaderConnection, c.id}, mine...)
		with := func(more ...string) []string { return append(append([]string{}, id...), more...) }
		long := strings.Repeat("x", 2000)
		for name, r := range map[string]struct {
			method, body string
			headers      []string
			status       int
			says         string
		}{
			"a method":                          {http.MethodPut, "{}", id, 405, "use GET, HEAD, POST or DELETE"},
			"no type":                           {http.MethodPost, "", id, 415, "application/json"},
			"another type":                      {http.MethodPost, "{}", with("Content-Type", "text/plain"), 415, "application/json"},
			"a type with a charset":             {http.MethodPost, `{"method":"x"}`, with("Content-Type", "application/json; charset=utf-8"), 202, ""},
			"no JSON":                           {http.MethodPost, `{"method`, id, 400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`},
			"two messages":                      {http.MethodPost, "{}\n{}", id, 400, "-32700"},
			"no object":                         {http.MethodPost, `"x"`, id, 400, "-32600"},
			"nothing":                           {http.MethodPost, " ", id, 400, "-32700"},
			"a batch":                           {http.MethodPost, ` [{"jsonrpc":"2.0","id":1,"method":"x"}]`, id, 501, "batches are not supported"},
			"no connection":                     {http.MethodPost, `{"method":"x"}`, mine, 400, "Acp-Connection-Id header is missing"},
			"an unknown connection":             {http.MethodPost, `{"method":"x"}`, append([]string{remote.HeaderConnection, "x"}, mine...), 404, "unknown connection"},
			"the connection of another token":   {http.MethodPost, `{"method":"x"}`, []string{remote.HeaderConnection, c.id, "Authorization", "Bearer other"}, 404, "unknown connection"},
			"no token":                          {http.MethodPost, hello, nil, 401, "a token is required"},
			"a wrong token":                     {http.MethodPost, hello, []string{"Authorization", "Bearer x"}, 401, "the token is unknown"},
			"a second initialize":               {http.MethodPost, hello, id, 400, "is already initialized"},
			"a first message that is another":   {http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"session/new"}`, mine, 400, "Acp-Connection-Id header is missing"},
			"a prompt without a session":        {http.MethodPost, `{"id":7,"method":"session/prompt","params":{"sessionId":"s"}}`, id, 400, "Acp-Session-Id header is missing"},
			"a method of one's own without one": {http.MethodPost, `{"id":7,"method":"_x","params":{"sessionId":"s"}}`, id, 400, "Acp-Session-Id header is missing"},
			"two sessions":                      {http.MethodPost, `{"id":7,"method":"session/prompt","params":{"sessionId":"s"}}`, with(remote.HeaderSession, "t"), 400, "differs from the message's sessionId"},
			"a long session":                    {http.MethodPost, `{"id":7,"method":"session/prompt"}`, with(remote.HeaderSession, long), 400, "an id is too long"},
			"a long id":                         {http.MethodPost, `{"id":"` + long + `","method":"x"}`, id, 400, "an id is too long"},
			"an answer to nothing":              {http.MethodPost, `{"id":7,"result":{}}`, id, 202, ""},
			"a long first message":              {http.MethodPost, `{"a":"` + strings.Repeat("x", 2<<20) + `"}`, mine, 413, "too long"},
			"a stream that is none":             {http.MethodGet, "", id, 406, "text/event-stream"},
			"a stream of nothing":               {http.MethodGet, "", append([]string{"Accept", "text/event-stream"}, mine...), 400, "Acp-Connection-Id header is missing"},
			"a stream of an unknown connection": {http.MethodGet, "", append([]string{"Accept", "text/event-stream", remote.HeaderConnection, "x"}, mine...), 404, "unknown connection"},
			"a stream of a long session":        {http.MethodGet, "", with("Accept", "text/event-stream", remote.HeaderSession, long), 400, "an id is too long"},
			"the end of nothing":                {http.MethodDelete, "", mine, 400, "Acp-Connection-Id header is missing"},
			"the end of an unknown connection":  {http.MethodDelete, "", append([]string{remote.HeaderConnection, "x"}, mine...), 404, "unknown connection"},
		} {
			got := send(t, r.method, web.URL, r.body, r.headers...)
			require.Equal(t, r.status, got.status, "%s: %s", name, got.body)
			require.Contains(t, got.body, r.says, name)
		}
		require.Equal(t, http.StatusAccepted, send(t, http.MethodDelete, web.URL, "", id...).status, "and the connection is still there")
	})
}

func TestBodiesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		c := connect(t, web.URL)
		require.Equal(t, http.StatusRequestEntityTooLarge, c.post(`{"method":"`+strings.Repeat("x", remote.MaxMessage)+`"}`, ""))
		require.Equal(t, http.StatusAccepted, c.post(`{"method":"x"}`, ""))
	})
}
