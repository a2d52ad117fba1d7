//go:build unix

package client_test

import (
	"io"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

func TestASocketOfThisMachineIsReached(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	require.NoError(t, err)
	web := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow() //nolint:errcheck // the test is over
		_ = ws.Write(r.Context(), websocket.MessageText, []byte(`{"path":"`+r.URL.Path+`"}`))
		_, _, _ = ws.Read(r.Context())
	})}
	go func() { _ = web.Serve(listener) }()
	t.Cleanup(func() { require.NoError(t, web.Close()) })
	conn, err := client.Open(client.Config{URL: "ws+unix://" + path + ":/acp/one"})
	require.NoError(t, err)
	line := make([]byte, len(`{"path":"/acp/one"}`))
	_, err = io.ReadFull(conn, line)
	require.NoError(t, err)
	require.Equal(t, `{"path":"/acp/one"}`, string(line))
	require.NoError(t, conn.Close())
	<-conn.Done()
}

func TestASocketWithoutAServerSaysWhatToDo(t *testing.T) {
	conn, err := client.Open(client.Config{URL: "ws+unix://" + filepath.Join(t.TempDir(), "s") + ":/acp"})
	require.NoError(t, err)
	_, err = io.ReadAll(conn)
	require.NoError(t, err)
	require.ErrorContains(t, conn.Err(), "start one with turnwire serve")
	for _, wrong := range []string{"ws+unix:///only/a/path", "ws+unix://host/path:/acp"} {
		_, err := client.Open(client.Config{URL: wrong})
		require.ErrorContains(t, err, "ws+unix:///path/to/socket:/acp")
	}
}
