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

const (
	// probeTimeout limits how long another server may take to answer.
	probeTimeout = 2 * time.Second
	// probePause is the pause between two attempts to reach it.
	probePause = 10 * time.Millisecond
)

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
		if isServed(path) {
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

// isServed reports whether somebody listens on a socket. If a server is killed while it
// starts an agent, the new process may hold its socket for a moment, in which connections
// are accepted, but not answered. Somebody who listens and never answers counts too.
func isServed(path string) bool {
	for end := time.Now().Add(probeTimeout); ; time.Sleep(probePause) {
		conn, err := net.DialTimeout("unix", path, probeTimeout)
		if err != nil {
			return false
		}
		answered := answers(conn, end)
		_ = conn.Close()
		if answered || time.Now().After(end) {
			return true
		}
	}
}

// answers reports whether a server answers on a connection before end.
func answers(conn net.Conn, end time.Time) bool {
	_ = conn.SetDeadline(end)
	if _, err := conn.Write([]byte("GET / HTTP/1.0\r\n\r\n")); err != nil {
		return false
	}
	n, _ := conn.Read(make([]byte, 1))
	return n > 0
}
