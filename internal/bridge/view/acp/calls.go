package acp

import (
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

// calls are the client's unanswered calls. The mutex guards all fields, and is not held
// while anything else is called.
type calls struct {
	mu      sync.Mutex
	byID    map[string]*core.Call // by id as JSON
	ids     map[*core.Call]string
	open    []*core.Call // in the order in which they arrived
	pending int          // the number of calls whose answer is not in the stream yet
	idle    sync.Cond    // signals that pending is 0
	ending  bool
}

func newCalls() *calls {
	c := &calls{byID: make(map[string]*core.Call), ids: make(map[*core.Call]string)}
	c.idle.L = &c.mu
	return c
}

// add adds a call. twice is set if another call has its id; then it is not added. If
// ending is set, the call must be refused.
func (c *calls) add(id string, call *core.Call) (twice, ending bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID[id] != nil {
		return true, c.ending
	}
	c.byID[id], c.ids[call] = call, id
	c.open = append(c.open, call)
	c.pending++
	return false, c.ending
}

// find returns the call with an id, or nil.
func (c *calls) find(id string) *core.Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byID[id]
}

// id returns the id of an unanswered call.
func (c *calls) id(call *core.Call) (id string, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, open = c.ids[call]
	return id, open
}

// remove frees the id of a call before its answer is sent, because the client may reuse
// it as soon as it reads the answer. open is false if the call was already answered.
func (c *calls) remove(call *core.Call) (id string, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, open = c.ids[call]
	delete(c.ids, call)
	delete(c.byID, id)
	c.open = slices.DeleteFunc(c.open, func(other *core.Call) bool { return other == call })
	return id, open
}

// sent records that the answer to a removed call is in the stream.
func (c *calls) sent() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending--; c.pending == 0 {
		c.idle.Broadcast()
	}
}

// end makes add report that the connection is ending, and returns the open calls in the order
// in which they arrived.
func (c *calls) end() (open []*core.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ending = true
	return slices.Clone(c.open)
}

// await waits until every answer is in the stream, or until limit expires.
func (c *calls) await(limit time.Duration) {
	expired := false
	timer := time.AfterFunc(limit, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		expired = true
		c.idle.Broadcast()
	})
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.pending > 0 && !expired {
		c.idle.Wait()
	}
}
