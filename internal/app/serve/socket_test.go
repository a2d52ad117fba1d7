//go:build unix

package serve_test

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

func TestOnlyItsUserCanUseTheSocket(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(folder, "s")
	urls := run(t, serve.Config{Socket: path})
	require.Equal(t, []string{serve.SocketURL(path, "")}, urls)
	for of, want := range map[string]os.FileMode{folder: os.ModeDir | 0o700, path: os.ModeSocket | 0o600} {
		info, err := os.Lstat(of)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode())
	}
	require.Contains(t, greet(t, client.Config{URL: urls[0]}), "result")
}

func TestEachAgentHasAPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	run(t, serve.Config{Socket: path})
	require.Contains(t, greet(t, client.Config{URL: serve.SocketURL(path, "other")}), "result")
	conn, err := client.Open(client.Config{URL: serve.SocketURL(path, "unknown")})
	require.NoError(t, err)
	_, _ = io.ReadAll(conn)
	require.ErrorContains(t, conn.Err(), "unknown agent")
}

func TestOtherFilesAtTheSocketsPathStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	err := serve.Config{Socket: path}.Run(t.Context())
	require.ErrorContains(t, err, "exists and is not a socket")
	require.FileExists(t, path)
}

// A process that a killed server was starting may hold the socket for a moment.
func TestASocketIsReplacedOnceNobodyHoldsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	held, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	require.NoError(t, err)
	held.SetUnlinkOnClose(false)
	go func() {
		if conn, err := held.Accept(); err == nil { // the new server looks whether somebody answers
			_ = held.Close()
			_ = conn.Close()
		}
	}()
	urls := run(t, serve.Config{Socket: path})
	require.Contains(t, greet(t, client.Config{URL: urls[0]}), "result")
}

func TestASocketOnWhichSomebodyListensIsNotReplaced(t *testing.T) {
	for name, listener := range map[string]func(path string){
		"a server": func(path string) { run(t, serve.Config{Socket: path}) },
		"one that is stopped": func(path string) {
			silent, err := net.Listen("unix", path)
			require.NoError(t, err)
			t.Cleanup(func() { _ = silent.Close() })
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			listener(path)
			require.ErrorContains(t, serve.Config{Socket: path}.Run(t.Context()), "another server is listening")
		})
	}
}

func TestOnlyTheSocketHasControl(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	stopped := make(chan struct{})
	urls := run(t, serve.Config{
		Socket: path, Listen: "127.0.0.1:0",
		Control: control.Handler(func() []control.Session {
			return []control.Session{{ID: "s1", Agent: "tea", Cwd: "/w", Clients: []string{"one"}, Running: true, Waiting: 2}}
		}, func() { close(stopped) }),
	})
	c := control.Client{Socket: path}
	all, err := c.Sessions(t.Context())
	require.NoError(t, err)
	require.Equal(t, []control.Session{{ID: "s1", Agent: "tea", Cwd: "/w", Clients: []string{"one"}, Running: true, Waiting: 2}}, all)
	conn, err := net.Dial("unix", path)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	resp, err := http.Post("http"+urls[0][len("ws"):len(urls[0])-len("/acp")]+"/control/stop", "", http.NoBody)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
	select {
	case <-stopped:
		require.Fail(t, "another machine has stopped the server")
	default:
	}
	_, err = control.Client{Socket: path + "none"}.Sessions(t.Context())
	require.ErrorIs(t, err, control.ErrNoServer)
}
