package client_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// These tests use real servers and sockets, because TLS, refused connections, cookies
// and local sockets are what is specific to the client. They wait for events, up to
// [limits.Patience].
const patience = limits.Patience

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`

// serve serves with accept, and returns the URL for each variant of the transport.
func serve(t *testing.T, known guard.Tokens, accept func(context.Context, *server.Conn)) map[string]string {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	h := server.New(server.Limits{}, log, accept)
	web := httptest.NewServer((&guard.Guard{Tokens: known, Log: log}).Wrap(h))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.Close(ctx)
		web.Close()
	})
	return map[string]string{"websocket": strings.Replace(web.URL, "http", "ws", 1), "http": web.URL}
}

// dial connects, and closes the connection at the end of the test.
func dial(t *testing.T, c client.Config) *client.Conn {
	t.Helper()
	conn, err := client.Open(c)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = conn.Close()
		requireClosed(t, conn)
	})
	return conn
}

func requireClosed(t *testing.T, c *client.Conn) {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(patience):
		require.Fail(t, "the connection does not end")
	}
}

// talk returns a function that reads the next line.
func talk(c io.Reader) func() string {
	lines := bufio.NewReader(c)
	return func() string {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err.Error()
		}
		return strings.TrimSpace(line)
	}
}

// agent opens the session s, echoes its messages, makes one request, and closes the
// session.
func agent(_ context.Context, c *server.Conn) {
	for lines := bufio.NewScanner(c); lines.Scan(); {
		m, _ := remote.Parse(lines.Bytes())
		switch m.Method {
		case "initialize", "session/close":
			fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m.AppendID(nil))
		case "session/new":
			fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}`+"\n", m.AppendID(nil))
			fmt.Fprintln(c, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":"early"}}`)
		case "ask":
			fmt.Fprintln(c, `{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"sessionId":"s"}}`)
		case "leave":
			return
		default:
			fmt.Fprintf(c, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":%s}}`+"\n", lines.Text())
		}
	}
}

func TestAConversation(t *testing.T) {
	urls := serve(t, nil, agent)
	for kind, url := range urls {
		t.Run(kind, func(t *testing.T) {
			c := dial(t, client.Config{URL: url})
			hear := talk(c)
			write := func(lines ...string) {
				_, err := io.WriteString(c, strings.Join(lines, "\n")+"\n")
				require.NoError(t, err)
			}
			write(hello)
			require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, hear())
			write(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{}}`)
			require.Contains(t, hear(), `"sessionId":"s"`)
			require.Contains(t, hear(), `early`)
			write(`{"jsonrpc":"2.0","method":"x/1","params":{"sessionId":"s"}}`, `{"jsonrpc":"2.0","method":"x/2","params":{"sessionId":"s"}}`)
			require.Contains(t, hear(), `x/1`)
			require.Contains(t, hear(), `x/2`)
			write(`{"jsonrpc":"2.0","method":"ask"}`)
			require.Contains(t, hear(), `session/request_permission`)
			write(`{"jsonrpc":"2.0","id":"a","result":{"outcome":"allow"}}`)
			require.Contains(t, hear(), `"allow"`)
			write(`{"jsonrpc":"2.0","id":3,"method":"session/close","params":{"sessionId":"s"}}`)
			require.JSONEq(t, `{"jsonrpc":"2.0","id":3,"result":{}}`, hear())
			write(`{"jsonrpc":"2.0","id":4,"method":"x/3","params":{"sessionId":"s"}}`)
			require.Contains(t, hear(), `x/3`, "a session that was closed can be used again")
			require.NoError(t, c.Err())
			require.NoError(t, c.Close())
			require.Equal(t, "EOF", hear())
			requireClosed(t, c)
			require.NoError(t, c.Err())
			_, err := io.WriteString(c, "{}\n")
			require.Error(t, err)
		})
	}
}

// The server learns of the end, and ends what it has started.
func TestTheServerLearnsOfTheEnd(t *testing.T) {
	over := make(chan struct{}, 2)
	urls := serve(t, nil, func(ctx context.Context, c *server.Conn) {
		agent(ctx, c)
		over <- struct{}{}
	})
	for _, url := range urls {
		c := dial(t, client.Config{URL: url})
		_, err := io.WriteString(c, hello+"\n")
		require.NoError(t, err)
		require.Contains(t, talk(c)(), "result")
		require.NoError(t, c.Close())
		select {
		case <-over:
		case <-time.After(patience):
			require.Fail(t, "it does not know", url)
		}
	}
}

func TestALostConnectionSaysWhy(t *testing.T) {
	urls := serve(t, nil, agent)
	for kind, want := range map[string]string{"websocket": "the server closed it", "http": "the server closed"} {
		t.Run(kind, func(t *testing.T) {
			c := dial(t, client.Config{URL: urls[kind] + "?secret=1"})
			hear := talk(c)
			_, err := io.WriteString(c, hello+"\n")
			require.NoError(t, err)
			hear()
			_, _ = io.WriteString(c, `{"jsonrpc":"2.0","method":"leave"}`+"\n") // the server may be faster
			require.Equal(t, "EOF", hear())
			requireClosed(t, c)
			require.ErrorContains(t, c.Err(), "lost the connection to "+urls[kind])
			require.ErrorContains(t, c.Err(), want)
			require.NotContains(t, c.Err().Error(), "secret")
		})
	}
}

// known contains one token.
type known struct{}

func (known) Find(token string) (string, bool) { return "n", token == "right" }

func TestAFailedConnectionSaysWhy(t *testing.T) {
	urls := serve(t, known{}, agent)
	answer := func(status int, header, body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && header != "" {
				w.Header().Set(remote.HeaderConnection, header)
			}
			if status == http.StatusFound {
				w.Header().Set("Location", "/elsewhere")
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	t.Cleanup(secure.Close)
	tell := func(kind, url string) string { return strings.Replace(url, "http", kind, 1) }
	for name, c := range map[string]struct{ url, want string }{
		"nobody listens":         {"http://127.0.0.1:1/acp", "connection refused"},
		"nobody listens there":   {"ws://127.0.0.1:1/acp", "connection refused"},
		"no token":               {urls["http"], "401 Unauthorized"},
		"no token for a socket":  {urls["websocket"], "401 Unauthorized"},
		"another path":           {answer(404, "", "nothing here"), "404 Not Found (nothing here): check the URL's path"},
		"another path, a socket": {tell("ws", answer(404, "", "nothing\x1b[2J")), "404 Not Found (nothing�[2J): check the URL's path"},
		"a redirect":             {answer(302, "", ""), "302 Found"},
		"a socket's redirect":    {tell("ws", answer(302, "", "")), "302 Found"},
		"no socket":              {tell("ws", answer(200, "", "hello")), "200 OK"},
		"no answer":              {answer(200, "c", "hello"), "check that the server speaks the Agent Client Protocol"},
		"another's answer":       {answer(200, "c", `{"id":2,"result":{}}`), "check that the server speaks the Agent Client Protocol"},
		"no connection":          {answer(200, "", `{"id":1,"result":{}}`), "has no Acp-Connection-Id header"},
		"no streams":             {answer(200, "c", `{"id":1,"result":{}}`), "the server answered 200"},
		"a stranger":             {secure.URL, "certificate"},
		"a socket's stranger":    {tell("ws", secure.URL), "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, client.Config{URL: c.url})
			done := make(chan error, 1)
			go func() {
				_, err := io.WriteString(conn, hello+"\n")
				done <- err
			}()
			_, _ = io.Copy(io.Discard, conn)
			requireClosed(t, conn)
			require.ErrorContains(t, conn.Err(), c.want)
			require.Error(t, <-done)
		})
	}
	for _, url := range []string{"", "x", "ftp://x/acp", "http:///acp", "%", "ws:x"} {
		_, err := client.Open(client.Config{URL: url})
		require.Error(t, err, url)
	}
}

func TestHeadersAndCookiesAreSent(t *testing.T) {
	urls := serve(t, known{}, agent)
	for _, url := range urls {
		c := dial(t, client.Config{URL: url, Header: http.Header{"authorization": {"Bearer right"}}})
		_, err := io.WriteString(c, hello+"\n")
		require.NoError(t, err)
		require.Contains(t, talk(c)(), "result")
	}
	var seen atomic.Int32
	sticky := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			http.SetCookie(w, &http.Cookie{Name: "machine", Value: "7"})
			w.Header().Set(remote.HeaderConnection, "c")
			_, _ = io.WriteString(w, `{"id":1,"result":{}}`)
			return
		}
		if cookie, err := r.Cookie("machine"); err == nil && cookie.Value == "7" {
			seen.Add(1)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(sticky.Close)
	c := dial(t, client.Config{URL: sticky.URL})
	_, err := io.WriteString(c, hello+"\n")
	require.NoError(t, err)
	require.Contains(t, talk(c)(), "result")
	require.Equal(t, int32(1), seen.Load())
}

// A request that the server refuses fails alone. A refused response ends the
// connection, because the server would wait for it forever.
func TestARefusedRequestFailsAlone(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		m, _ := remote.Parse(text)
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case m.IsInitialize():
			w.Header().Set(remote.HeaderConnection, "c")
			_, _ = io.WriteString(w, `{"id":1,"result":{}}`)
		default:
			http.Error(w, "not \"now\"", http.StatusTooManyRequests)
		}
	}))
	t.Cleanup(s.Close)
	c := dial(t, client.Config{URL: s.URL})
	hear := talk(c)
	_, err := io.WriteString(c, hello+"\n"+`{"id":"x\n2","method":"session/new"}`+"\n")
	require.NoError(t, err)
	hear()
	require.JSONEq(t, `{"jsonrpc":"2.0","id":"x\n2","error":{"code":-32603,"message":"the server answered 429 Too Many Requests (not \"now\")"}}`, hear())
	_, err = io.WriteString(c, `{"id":"a","result":{}}`+"\n")
	require.ErrorContains(t, err, "429")
	requireClosed(t, c)
	require.ErrorContains(t, c.Err(), "lost the connection")
}

// A notification that makes no sense, such as a cancel that names no session, is refused alone.
func TestARefusedNotificationEndsNothing(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		m, _ := remote.Parse(text)
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case m.IsInitialize():
			w.Header().Set(remote.HeaderConnection, "c")
			_, _ = io.WriteString(w, `{"id":1,"result":{}}`)
		default:
			http.Error(w, "the session is missing", http.StatusBadRequest)
		}
	}))
	t.Cleanup(s.Close)
	c := dial(t, client.Config{URL: s.URL})
	hear := talk(c)
	_, err := io.WriteString(c, hello+"\n"+`{"method":"session/cancel","params":{}}`+"\n"+`{"id":2,"method":"session/list"}`+"\n")
	require.NoError(t, err)
	hear()
	require.Contains(t, hear(), `"id":2,"error"`)
	require.NoError(t, c.Err())
}

// A line that isn't a message is answered, and the connection goes on.
func TestALineThatIsNoMessageEndsNothing(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		m, _ := remote.Parse(text)
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case m.IsInitialize():
			w.Header().Set(remote.HeaderConnection, "c")
			_, _ = io.WriteString(w, `{"id":1,"result":{}}`)
		}
	}))
	t.Cleanup(s.Close)
	c := dial(t, client.Config{URL: s.URL})
	hear := talk(c)
	_, err := io.WriteString(c, hello+"\n")
	require.NoError(t, err)
	hear()
	for text, code := range map[string]string{"[]": "-32600", "Error: no such file": "-32700"} {
		_, err = io.WriteString(c, text+"\n")
		require.NoError(t, err)
		require.Contains(t, hear(), `"id":null,"error":{"code":`+code)
	}
	require.NoError(t, c.Err())
}

// Whatever a server sends on a stream arrives as lines, or is an error.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: {\"id\":2,\"result\":{\"sessionId\":\"s\"}}\n\n"))
	f.Add([]byte(":\n\ndata: {\ndata: }\r\n\r\nid: 1\nevent: x\ndata:{}\n\n"))
	f.Add([]byte("data: \xff\x00\n\ndata"))
	var text atomic.Pointer[[]byte]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.Header().Set(remote.HeaderConnection, "c")
			_, _ = io.WriteString(w, `{"id":1,"result":{}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Header.Get(remote.HeaderSession) == "" {
			_, _ = w.Write(*text.Load())
		}
	}))
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, sent []byte) {
		text.Store(&sent)
		c := dial(t, client.Config{URL: s.URL})
		go func() { _, _ = io.WriteString(c, hello+"\n") }()
		all, err := io.ReadAll(c)
		require.NoError(t, err)
		requireClosed(t, c)
		require.Error(t, c.Err(), "the stream has ended")
		if len(all) > 0 {
			require.True(t, strings.HasSuffix(string(all), "\n"))
		}
		require.NotContains(t, string(all), "\r")
	})
}
