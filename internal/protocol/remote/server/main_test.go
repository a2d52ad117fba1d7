package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// agent answers as a bridge would, as seen by the transport.
//
//	initialize        is answered
//	session/new       opens the session s
//	session/load      tells two updates, and is answered then
//	session/prompt    asks for permission; the answer ends the turn
//	flood             tells updates until it is stopped
//	anything else     is echoed as an update of the session s
func agent(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	say := func(format string, args ...any) bool {
		_, err := fmt.Fprintf(c, format+"\n", args...)
		return err == nil
	}
	const update = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":%v}}`
	for lines := bufio.NewScanner(c); lines.Scan(); {
		m, err := remote.Parse(lines.Bytes())
		switch {
		case err != nil:
			say(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"nonsense"}}`)
			continue
		case m.IsAnswer():
			say(`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`)
			continue
		}
		switch m.Method {
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`, m.AppendID(nil))
		case "session/new":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}`, m.AppendID(nil))
		case "session/load":
			say(update, 1)
			say(update, 2)
			say(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.AppendID(nil))
		case "session/prompt":
			say(`{"jsonrpc":"2.0","id":"p1","method":"session/request_permission","params":{"sessionId":"s"}}`)
		case "flood":
			for say(update, `"`+strings.Repeat("x", 10_000)+`"`) {
			}
			return
		case "end":
			return
		default:
			say(update, lines.Text())
		}
	}
}

// tokens maps tokens to names.
type tokens map[string]string

func (t tokens) Find(token string) (string, bool) { name, ok := t[token]; return name, ok }

// A reply is an HTTP response of the transport.
type reply struct {
	status     int
	connection string
	body       string
	header     http.Header
}

// send sends a request. headers are alternating names and values.
func send(t *testing.T, method, url, body string, headers ...string) reply {
	t.Helper()
	r := open(t, method, url, body, headers...)
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return reply{r.StatusCode, r.Header.Get(remote.HeaderConnection), strings.TrimSpace(string(text)), r.Header}
}

// open sends a request with a streaming response.
func open(t *testing.T, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := clientOf(url).Do(r)
	require.NoError(t, err)
	return a
}

// upgrade opens a WebSocket. If that is refused, it returns the response.
func upgrade(t *testing.T, url string, header http.Header) (ws *websocket.Conn, r reply) {
	t.Helper()
	ws, a, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPHeader: header, HTTPClient: clientOf(url)}) //nolint:bodyclose // the connection owns it
	require.NotNil(t, a)
	if err == nil {
		t.Cleanup(func() { _ = ws.CloseNow() })
	}
	return ws, reply{status: a.StatusCode, connection: a.Header.Get(remote.HeaderConnection)}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`

// A client has a connection over HTTP.
type client struct {
	t       *testing.T
	url, id string
}

func connect(t *testing.T, url string, headers ...string) *client {
	t.Helper()
	r := send(t, http.MethodPost, url, hello, headers...)
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`, r.body)
	require.NotEmpty(t, r.connection)
	return &client{t, url, r.connection}
}

// post posts a message. session is the session header, or "".
func (c *client) post(message, session string) int {
	c.t.Helper()
	headers := []string{remote.HeaderConnection, c.id}
	if session != "" {
		headers = append(headers, remote.HeaderSession, session)
	}
	return send(c.t, http.MethodPost, c.url, message, headers...).status
}

// events opens a stream, and returns a function that reads its next event.
func (c *client) events(session string) (next func() string, closeIt func()) {
	c.t.Helper()
	headers := []string{remote.HeaderConnection, c.id, "Accept", "text/event-stream"}
	if session != "" {
		headers = append(headers, remote.HeaderSession, session)
	}
	r := open(c.t, http.MethodGet, c.url, "", headers...)
	require.Equal(c.t, http.StatusOK, r.StatusCode)
	require.Equal(c.t, "text/event-stream", r.Header.Get("Content-Type"))
	require.Equal(c.t, c.id, r.Header.Get(remote.HeaderConnection))
	require.Equal(c.t, session, r.Header.Get(remote.HeaderSession))
	lines := bufio.NewReader(r.Body)
	c.t.Cleanup(func() { _ = r.Body.Close() })
	return func() string {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return err.Error()
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				return strings.TrimSpace(data)
			}
		}
	}, func() { _ = r.Body.Close() }
}
