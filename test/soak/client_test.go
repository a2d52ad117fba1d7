//go:build unix

package soak

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A client is an ACP client behind the proxy.
type client struct {
	run  *run
	name string
	kind kind

	mu      sync.Mutex
	changed sync.Cond
	conn    io.WriteCloser // for messages
	current io.WriteCloser // the newest connection, which may not be initialized yet
	random  *rand.Rand
	lastID  int
	calls   map[string]*call
	views   map[string]*view
	leaving bool
}

// A call is a request of a client.
type call struct {
	method, session string
	done            bool
	lost            bool // with its connection
	result          result
	failure         string
}

type result struct {
	SessionID  string `json:"sessionId"`
	StopReason string `json:"stopReason"`
}

// A line is a message from the server.
type line struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		SessionID string `json:"sessionId"`
		Update    update `json:"update"`
		ToolCall  struct {
			ToolCallID string `json:"toolCallId"`
		} `json:"toolCall"`
		Options []struct {
			OptionID string `json:"optionId"`
			Kind     string `json:"kind"`
		} `json:"options"`
	} `json:"params"`
	Result result          `json:"result"`
	Error  json.RawMessage `json:"error"`
}

const initialize = `{"protocolVersion":1,"clientInfo":{"name":"soak","version":"1"},"clientCapabilities":{"session":{"notices":{}}}}`

func newClient(r *run, name string, k kind, seed uint64) *client {
	c := &client{run: r, name: name, kind: k, random: rand.New(rand.NewPCG(seed, 1)), calls: make(map[string]*call), views: make(map[string]*view)} //nolint:gosec // it only has to be repeatable
	c.changed.L = &c.mu
	return c
}

// read reads lines until the connection ends.
func (c *client) read(from io.Reader) error {
	for lines := bufio.NewReader(from); ; {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			return err
		}
		var l line
		if err := exactjson.Unmarshal(text, &l); err != nil {
			c.run.violate("%s got a line that is no message: %v: %.200q", c.name, err, text)
			continue
		}
		c.handle(&l)
	}
}

func (c *client) handle(l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.changed.Broadcast()
	v := c.views[l.Params.SessionID]
	switch {
	case l.Method == "":
		c.answered(l)
	case l.Method == "session/update" && v != nil:
		c.run.updates.Add(1)
		v.add(&l.Params.Update)
	case l.Method == "session/request_permission":
		c.asked(l, v)
	}
}

// answered handles the response to a call.
func (c *client) answered(l *line) {
	one := c.calls[string(l.ID)]
	switch {
	case one == nil || one.done:
		c.run.violate("%s: the request %s is answered again, or never existed", c.name, l.ID)
		return
	case one.method == "session/new" && l.Error == nil:
		c.views[l.Result.SessionID] = newView()
		one.session = l.Result.SessionID
	}
	one.done, one.result, one.failure = true, l.Result, string(l.Error)
	if one.method == "session/load" && l.Error != nil {
		c.run.violate("%s can't load %s: %s", c.name, one.session, l.Error)
	}
	if v := c.views[one.session]; v != nil && l.Error == nil && (one.method == "session/new" || one.method == "session/load") {
		v.ready = true
	}
}

// asked answers a permission request, or leaves that to another client.
func (c *client) asked(l *line, v *view) {
	if c.kind == observer {
		c.run.violate("the observer %s is asked for %s", c.name, l.Params.ToolCall.ToolCallID)
		return
	}
	chance := c.random.IntN(10)
	if v == nil || chance >= 6 && !v.answers {
		return
	}
	wanted := "allow_once"
	if chance%3 == 2 {
		wanted = "reject_once"
	}
	for _, o := range l.Params.Options {
		if o.Kind == wanted {
			c.run.choose(l.Params.ToolCall.ToolCallID, wanted)
			c.send(map[string]any{"id": l.ID, "result": map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": o.OptionID}}})
			return
		}
	}
	c.run.violate("%s is not offered %s", c.name, wanted)
}

// send sends a message without waiting for the network. The caller holds the lock.
func (c *client) send(message map[string]any) {
	conn := c.conn
	c.run.work.Go(func() { write(conn, message) })
}

// write sends a message. It fails only if the connection ends, which the reader notices.
func write(conn io.Writer, message map[string]any) {
	message["jsonrpc"] = "2.0"
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // it is our own
	}
	_, _ = conn.Write(append(text, '\n'))
}

// prepare makes a request. The caller holds the lock, and must then call the returned
// function, which sends it, without the lock.
func (c *client) prepare(conn io.Writer, method string, params any, one *call) (send func()) {
	c.lastID++
	id := strconv.Itoa(c.lastID)
	one.method = method
	c.calls[id] = one
	return func() { write(conn, map[string]any{"id": json.RawMessage(id), "method": method, "params": params}) }
}

// begin sends a request.
func (c *client) begin(method string, params any, session string) *call {
	one := &call{session: session}
	c.mu.Lock()
	send := c.prepare(c.conn, method, params, one)
	c.mu.Unlock()
	send()
	return one
}

// notify sends a notification.
func (c *client) notify(method string, params map[string]any) {
	c.mu.Lock()
	conn := c.conn
	c.mu.Unlock()
	write(conn, map[string]any{"method": method, "params": params})
}

// until waits until a condition on the client holds, or too long. It checks the condition
// with the lock held.
func (c *client) until(is func() bool) bool { return waitFor(&c.changed, is) }

// waitFor waits until a condition holds, which it checks with the lock of changed held
// whenever something changes. It returns false if that takes too long.
func waitFor(changed *sync.Cond, is func() bool) bool {
	late := false
	timer := time.AfterFunc(patience, func() {
		changed.L.Lock()
		defer changed.L.Unlock()
		late = true
		changed.Broadcast()
	})
	defer timer.Stop()
	changed.L.Lock()
	defer changed.L.Unlock()
	for !is() {
		if late {
			return false
		}
		changed.Wait()
	}
	return true
}

// call sends a request and waits for the response. It returns false if none comes, or an
// error.
func (c *client) call(method string, params any, session string) (*call, bool) {
	one := c.begin(method, params, session)
	switch {
	case !c.until(func() bool { return one.done || one.lost }):
		c.run.violate("%s: %s is not answered", c.name, method)
		return one, false
	case one.failure != "":
		c.run.violate("%s: %s failed: %s", c.name, method, one.failure)
		return one, false
	}
	return one, one.done
}
