package acp

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// Ask implements [core.View].
func (c *client) Ask(a *core.Ask) error {
	c.mu.Lock()
	c.lastAsk++
	id := strconv.FormatUint(c.lastAsk, 10)
	c.asks[id], c.asked[a] = a, id
	params := a.Params
	if about, open := c.ids[a.About]; open {
		params = rawmsg.Replace(params, "requestId", []byte(about))
	}
	c.mu.Unlock()
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
	c.mu.Lock()
	id, open := c.asked[a]
	c.mu.Unlock()
	if open {
		c.send(rawmsg.Request(nil, v1.MethodCancelRequest, []byte(`{"requestId":`+id+`}`)))
	}
}

// Forget implements [core.View].
func (c *client) Forget(a *core.Ask) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.asks, c.asked[a])
	delete(c.asked, a)
}

// answered takes an answer of the client.
func (c *client) answered(m protocol.Message) {
	c.mu.Lock()
	a := c.asks[string(m.ID)]
	if a != nil {
		delete(c.asks, string(m.ID))
		delete(c.asked, a)
	}
	by := c.frontEnd
	by.Name = cmp.Or(by.Name, c.name)
	c.mu.Unlock()
	switch {
	case a == nil:
		c.log.Debug("ignored an answer to no request", "id", string(m.ID))
	case !a.Reply(core.Answer{Result: bytes.Clone(m.Result), Failure: bytes.Clone(m.Error), By: &by}):
		c.log.Warn("an answer to a permission request names no option that was offered, and permits nothing", "id", string(m.ID))
	}
}
