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

// asks are the pending requests to the client, with their ids on this connection. The
// mutex guards all fields.
type asks struct {
	mu   sync.Mutex
	byID map[string]*core.Ask
	ids  map[*core.Ask]string
	last uint64 // the last id
}

func newAsks() *asks {
	return &asks{byID: make(map[string]*core.Ask), ids: make(map[*core.Ask]string)}
}

// add assigns an id to a request.
func (t *asks) add(a *core.Ask) (id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	id = strconv.FormatUint(t.last, 10)
	t.byID[id], t.ids[a] = a, id
	return id
}

// id returns the id of a pending request.
func (t *asks) id(a *core.Ask) (id string, open bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, open = t.ids[a]
	return id, open
}

// take removes and returns the request with an id, or returns nil.
func (t *asks) take(id string) *core.Ask {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.byID[id]
	delete(t.byID, id)
	delete(t.ids, a)
	return a
}

// remove removes a request.
func (t *asks) remove(a *core.Ask) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.byID, t.ids[a])
	delete(t.ids, a)
}

// Ask implements [core.View].
func (c *client) Ask(a *core.Ask) error {
	id, params := c.asks.add(a), a.Params
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
func (c *client) Withdraw(a *core.Ask) {
	if id, open := c.asks.id(a); open {
		c.send(rawmsg.Request(nil, v1.MethodCancelRequest, []byte(`{"requestId":`+id+`}`)))
	}
}

// Forget implements [core.View].
func (c *client) Forget(a *core.Ask) { c.asks.remove(a) }

// answered handles the client's response.
func (c *client) answered(m protocol.Message) {
	a, by := c.asks.take(string(m.ID)), c.frontEnd
	by.Name = cmp.Or(by.Name, c.name)
	switch {
	case a == nil:
		c.log.Debug("ignored an answer to no request", "id", string(m.ID))
	case !a.Reply(core.Answer{Result: bytes.Clone(m.Result), Failure: bytes.Clone(m.Error), By: &by}):
		c.log.Warn("an answer to a permission request names no option that was offered, and permits nothing", "id", string(m.ID))
	}
}
