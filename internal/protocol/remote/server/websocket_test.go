package server_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

func TestAConversationOverAWebSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		ws, answer := upgrade(t, web.URL, nil)
		require.NotEmpty(t, answer.connection)
		ws.SetReadLimit(-1)
		say := func(kind websocket.MessageType, text string) {
			require.NoError(t, ws.Write(t.Context(), kind, []byte(text)))
		}
		hear := func() string {
			kind, text, err := ws.Read(t.Context())
			require.NoError(t, err)
			require.Equal(t, websocket.MessageText, kind)
			return string(text)
		}
		say(websocket.MessageText, hello)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`, hear())

		say(websocket.MessageBinary, hello) // ignored
		say(websocket.MessageText, "{\"jsonrpc\":\"2.0\",\r\n\"id\":2,\n\"method\":\"session/new\"}\n")
		require.Contains(t, hear(), `"sessionId":"s"`)

		say(websocket.MessageText, hello+"\n"+hello)
		require.Contains(t, hear(), "nonsense", "two messages in a frame are none")
		say(websocket.MessageText, "{")
		require.Contains(t, hear(), "nonsense")

		say(websocket.MessageText, strings.Repeat("x", remote.MaxMessage+1))
		require.Contains(t, hear(), "longer than 32 MiB")
		say(websocket.MessageText, `{"jsonrpc":"2.0","id":3,"method":"session/load"}`)
		require.Contains(t, hear(), `"update":1`)
		require.Contains(t, hear(), `"update":2`)
		require.Contains(t, hear(), `"id":3`)

		say(websocket.MessageText, `{"jsonrpc":"2.0","method":"end"}`)
		_, _, err := ws.Read(t.Context())
		require.Equal(t, websocket.StatusNormalClosure, websocket.CloseStatus(err))
	})
}

// sayHello starts or resumes a connection, and returns the server's answer.
func sayHello(t *testing.T, w *web, c remote.Control) (*websocket.Conn, *remote.Hello) {
	t.Helper()
	options := &websocket.DialOptions{HTTPClient: clientOf(w.URL), Subprotocols: []string{remote.Resumable}}
	ws, _, err := websocket.Dial(t.Context(), w.URL, options) //nolint:bodyclose // the connection owns it
	require.NoError(t, err)
	t.Cleanup(func() { _ = ws.CloseNow() })
	require.NoError(t, ws.Write(t.Context(), websocket.MessageBinary, c.Append(nil)))
	return ws, hearControl(t, ws).Hello
}

// hearControl reads a control frame.
func hearControl(t *testing.T, ws *websocket.Conn) remote.Control {
	t.Helper()
	kind, text, err := ws.Read(t.Context())
	require.NoError(t, err)
	require.Equal(t, websocket.MessageBinary, kind, "%s", text)
	c, err := remote.ParseControl(text)
	require.NoError(t, err)
	return c
}

// A client that didn't get an answer tries again. Its first attempt may arrive when it has
// continued on the second one.
func TestALateWebSocketHarmsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		ws, known := sayHello(t, w, remote.Control{Hello: &remote.Hello{}})
		ask := func() {
			require.NoError(t, ws.Write(t.Context(), websocket.MessageText, []byte(hello)))
			_, text, err := ws.Read(t.Context())
			require.NoError(t, err)
			require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`, string(text))
		}
		ask()
		require.NoError(t, ws.Write(t.Context(), websocket.MessageBinary, remote.Control{Received: 1}.Append(nil)))
		require.EqualValues(t, 1, hearControl(t, ws).Received)
		late, answer := sayHello(t, w, remote.Control{Hello: &remote.Hello{Connection: known.Connection}})
		require.Empty(t, answer.Connection)
		_, _, err := late.Read(t.Context())
		require.EqualValues(t, remote.StatusUnknown, websocket.CloseStatus(err))
		ask()
	})
}

func TestABadUpgradeIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		web, _ := start(t, server.Limits{}, nil, agent)
		r := send(t, http.MethodGet, web.URL, "", "Upgrade", "websocket")
		require.Equal(t, http.StatusUpgradeRequired, r.status)
		r = send(t, http.MethodGet, web.URL, "", "Upgrade", "websocket", "Connection", "Upgrade", "Sec-WebSocket-Version", "12", "Sec-WebSocket-Key", "x")
		require.Equal(t, http.StatusBadRequest, r.status)
		connect(t, web.URL) // and nothing is left of them
	})
}
