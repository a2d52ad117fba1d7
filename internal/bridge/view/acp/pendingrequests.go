package acp

import (
	"bytes"
	"cmp"
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// pendingRequests are the pending requests to the client, with their ids on this
// connection. The mutex guards all fields.
type pendingRequests struct {
	mu   sync.Mutex
	byID map[string]*core.Request
	ids  map[*core.Request]string
	last uint64 // the last id
}

func newPendingRequests() *pendingRequests {
	return &pendingRequests{byID: make(map[string]*core.Request), ids: make(map[*core.Request]string)}
}

// add assigns an id to a request.
func (t *pendingRequests) add(a *core.Request) (id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	id = strconv.FormatUint(t.last, 10)
	t.byID[id], t.ids[a] = a, id
	return id
}

// id returns the id of a pending request.
func (t *pendingRequests) id(a *core.Request) (id string, open bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, open = t.ids[a]
	return id, open
}

// take removes and returns the request with an id, or returns nil.
func (t *pendingRequests) take(id string) *core.Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.byID[id]
	delete(t.byID, id)
	delete(t.ids, a)
	return a
}

// remove removes a request.
func (t *pendingRequests) remove(a *core.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byID, t.ids[a])
	delete(t.ids, a)
}

// Request implements [core.View].
func (c *client) Request(a *core.Request) error {
	id, params := c.pending.add(a), a.Params
	if about, open := c.calls.id(a.About); open {
		params = rawmsg.Replace(params, "requestId", []byte(about))
	}
	line := rawmsg.Request([]byte(id), a.Method, params)
	var err error
	if a.Gate != nil {
		err = c.stream.AppendUnless(a.Gate, line)
	} else {
		err = c.stream.Send(line)
	}
	if err != nil {
		c.Forget(a)
	}
	return err
}

// Withdraw implements [core.View].
func (c *client) Withdraw(a *core.Request) {
	if id, open := c.pending.id(a); open {
		c.send(rawmsg.Request(nil, v1.MethodCancelRequest, []byte(`{"requestId":`+id+`}`)))
	}
}

// Forget implements [core.View].
func (c *client) Forget(a *core.Request) { c.pending.remove(a) }

// answered handles the client's response.
func (c *client) answered(m protocol.Message) {
	a, by := c.pending.take(string(m.ID)), c.identity
	by.Name = cmp.Or(by.Name, c.name)
	switch {
	case a == nil:
		c.log.Debug("ignored a response without a request", "id", string(m.ID))
	case !a.Reply(core.Answer{Result: bytes.Clone(m.Result), Failure: bytes.Clone(m.Error), By: &by}):
		c.log.Warn("the response to a permission request names an option, or accepts a part, that was not offered; the request is denied", "id", string(m.ID))
	}
}
