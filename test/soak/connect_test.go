//go:build unix

package soak

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"sync"

	remote "github.com/turnwire/turnwire/internal/protocol/remote/client"
)

// A kind is a kind of client.
type kind int

const (
	editor    kind = iota // turnwire acp --server, on its stdio
	far                   // turnwire acp --url, as on another machine
	webSocket             // the Go client, with resumption
	streams               // the same over HTTP
	plain                 // the same without resumption: it loads its sessions again
	observer              // with a token that may only watch
	host                  // of the Agent Host Protocol
	kinds
)

func (k kind) String() string {
	return [...]string{"editor", "far editor", "websocket", "http", "plain", "observer", "ahp"}[k]
}

// mix is the order in which clients of each kind connect.
var mix = []kind{editor, webSocket, streams, plain, far, observer, host, editor, webSocket, streams, far}

// resuming are the kinds of clients that prompt.
var resuming = []kind{editor, far, webSocket, streams}

// connect connects an ACP client to an address, and returns when it is initialized. An
// editor uses the socket of the proxy instead.
func (r *run) connect(name string, k kind, address string, seed uint64) (*client, error) {
	c := newClient(r, name, k, seed)
	if k == plain {
		r.clients.Go(func() { c.stay(address) })
		if !c.until(func() bool { return c.conn != nil }) {
			return nil, fmt.Errorf("%s can't connect", name)
		}
		return c, nil
	}
	conn, err := r.dial(k, address)
	if err != nil {
		return nil, err
	}
	c.conn, c.current = conn, conn
	r.clients.Go(func() {
		err, why := c.read(conn), reason(conn)
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.leaving || why != nil {
			r.violate("the connection of %s ended: %v: %v", name, err, why)
		}
	})
	for _, method := range []string{"initialize", "session/list"} { // the latter makes a far editor connect
		params := "{}"
		if method == "initialize" {
			params = initialize
		}
		one := c.begin(method, json.RawMessage(params), "")
		switch {
		case !c.until(func() bool { return one.done }):
			return nil, fmt.Errorf("%s: %s is not answered", name, method)
		case (k == editor || k == far) && one.failure != "": // its first connection failed, so its user starts it again
			c.leave()
			return r.connect(name, k, address, seed)
		case one.failure != "":
			return nil, fmt.Errorf("%s: %s", name, one.failure)
		}
	}
	return c, nil
}

// reason returns why a connection ended. It waits for an editor's process.
func reason(c *conn) error {
	switch c := c.ReadWriteCloser.(type) {
	case *remote.Conn:
		return c.Err()
	case *pipes:
		return c.cmd.Wait()
	}
	return nil
}

// dial starts to connect a client.
func (r *run) dial(k kind, address string) (*conn, error) {
	switch k {
	case editor:
		return r.startEditor(r.server.environment, "--server="+r.server.proxiedSocket)
	case far:
		return r.startEditor(r.server.far, "--agent", "acp", "--url", "http://"+address+"/acp")
	}
	config := remote.Config{URL: "ws://" + address + "/acp", Header: http.Header{"Authorization": {"Bearer " + r.server.token}}}
	switch k {
	case streams:
		config.URL = "http://" + address + "/acp"
	case observer:
		config.Header.Set("Authorization", "Bearer "+r.server.watchToken)
	}
	if k != plain {
		config.Resume = &remote.Resume{Await: true}
	}
	c, err := remote.Open(config)
	return &conn{ReadWriteCloser: c}, err
}

// A conn is a connection. Several goroutines may write messages.
type conn struct {
	io.ReadWriteCloser

	writing sync.Mutex
}

// Write implements [io.Writer].
func (c *conn) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.ReadWriteCloser.Write(p)
}

// leave ends the client's connection.
func (c *client) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leaving = true
	_ = c.current.Close() // its reader ends
}

// stay connects again and again, and loads all sessions on each connection.
func (c *client) stay(address string) {
	for {
		conn, err := c.run.dial(plain, address)
		if err != nil {
			c.run.violate("%s can't connect: %v", c.name, err)
			return
		}
		c.mu.Lock()
		if c.leaving {
			c.mu.Unlock()
			_ = conn.Close()
			return
		}
		c.current = conn
		c.mu.Unlock()
		var restoring sync.WaitGroup
		restoring.Go(func() { c.restore(conn) })
		_ = c.read(conn) // it ends when the network fails
		_ = conn.Close()
		restoring.Wait()
		c.lose()
	}
}

// restore initializes a connection and loads the client's sessions.
func (c *client) restore(conn io.WriteCloser) {
	c.mu.Lock()
	send := c.prepare(conn, "initialize", json.RawMessage(initialize), new(call))
	c.mu.Unlock()
	send()
	c.mu.Lock()
	c.conn = conn
	c.changed.Broadcast()
	var loads []func()
	for id := range c.views {
		loads = append(loads, c.load(id))
	}
	c.mu.Unlock()
	for _, send := range loads {
		send()
	}
}

// load makes a request to load a session, and forgets what was shown of it. The caller
// holds the lock, and must then call the returned function without it.
func (c *client) load(id string) func() {
	v := newView()
	if old := c.views[id]; old != nil {
		v.answers = old.answers
	}
	c.views[id] = v
	return c.prepare(c.conn, "session/load", map[string]any{"sessionId": id, "cwd": c.run.folder, "mcpServers": []any{}}, &call{session: id})
}

// lose forgets what depended on a connection.
func (c *client) lose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.calls {
		one.lost = one.lost || !one.done
	}
	for _, v := range c.views {
		v.ready = false
	}
	c.run.reloads.Add(1)
	c.changed.Broadcast()
}

// A pipes is the stdin and stdout of a process.
type pipes struct {
	io.ReadCloser
	io.WriteCloser

	cmd *exec.Cmd
}

// startEditor starts the process that attaches an editor.
func (r *run) startEditor(environment []string, args ...string) (*conn, error) {
	cmd := exec.Command(binary, append([]string{"acp"}, args...)...)
	cmd.Env, cmd.Stderr = environment, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &conn{ReadWriteCloser: &pipes{out, in, cmd}}, cmd.Start()
}

// Close ends the process. Its reader waits for it.
func (p *pipes) Close() error { return p.WriteCloser.Close() }
