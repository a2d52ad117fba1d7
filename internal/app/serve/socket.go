package serve

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
	"github.com/turnwire/turnwire/internal/protocol/remote/local"
)

// ControlPath is the path prefix of [Config].Control on the socket.
const ControlPath = "/control/"

// probeTimeout limits how long another server may take to accept a connection.
const probeTimeout = 2 * time.Second

// local listens for connections from this user.
func (c Config) local(endpoints *endpoints) (d door, err error) {
	if d.listener, err = listen(c.Socket); err != nil {
		return d, fmt.Errorf("--socket: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", endpoints)
	if c.Control != nil {
		mux.Handle(ControlPath, http.StripPrefix(ControlPath[:len(ControlPath)-1], c.Control))
	}
	// Only the user can open the socket. Web pages can't.
	g := &guard.Guard{Log: c.Log}
	d.web = c.server(health(endpoints, c.withHost(hostGuard(g), endpoints, g.Wrap(mux))))
	d.urls = []string{SocketURL(c.Socket, "")}
	return d, nil
}

// SocketURL returns the URL of an agent behind a socket, in the form that WebSocket
// libraries use. agent is "" for the one at /acp.
func SocketURL(socket, agent string) string {
	path := remote.Path
	if agent != "" {
		path += "/" + agent
	}
	return local.URL(socket, path)
}

// listen listens on a socket that only its user can open. It replaces a socket on which
// nobody listens.
func listen(path string) (net.Listener, error) {
	if local.IsPipe(path) {
		return local.ListenPipe(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("%s exists and is not a socket", path)
		}
		if conn, err := net.DialTimeout("unix", path, probeTimeout); err == nil {
			_ = conn.Close()
			return nil, fmt.Errorf("another server is listening on %s", path)
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	listener, err := listenPrivately(path)
	if err != nil {
		return nil, err
	}
	return listener, nil
}
