package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

const (
	// maxCalls limits the calls that are remembered, open or not.
	maxCalls = 256
	// maxArgs limits the remembered arguments of a call, which are shown again
	// when the user is asked about it.
	maxArgs = 64 << 10
)

// A callState is the progress of a call.
type callState int

const (
	writing  callState = iota // the model is writing it
	whole                     // it is complete, but not running yet
	underway                  // it is running, or waits for a decision
	finished                  // it has ended
)

// A call is the state of a tool call.
type call struct {
	id, name string
	args     agent.Raw
	state    callState
	child    bool     // a sub-agent's call, only known from its progress
	noticed  bool     // the user knows that it waits for something
	progress progress // the last reported progress
}

// calls holds the last calls of a run.
type calls struct {
	list []*call          // in order
	byID map[string]*call // the last call with each id
}

// find returns the last call with this id, or nil.
func (c *calls) find(id string) *call { return c.byID[id] }

// running returns the unfinished call with this id, or nil.
func (c *calls) running(id string) *call {
	if k := c.byID[id]; k != nil && k.state != finished {
		return k
	}
	return nil
}

// open returns the unfinished call with this id, or adds one.
func (c *calls) open(id, name string) *call {
	k := c.running(id)
	if k == nil {
		k = &call{id: id}
		c.makeRoom()
		if c.byID == nil {
			c.byID = make(map[string]*call)
		}
		c.list, c.byID[id] = append(c.list, k), k
	}
	if name != "" {
		k.name = name
	}
	return k
}

// makeRoom drops a call if there are too many: the first finished one, or else
// the first.
func (c *calls) makeRoom() {
	if len(c.list) < maxCalls {
		return
	}
	i := max(0, slices.IndexFunc(c.list, func(k *call) bool { return k.state == finished }))
	if k := c.list[i]; c.byID[k.id] == k {
		delete(c.byID, k.id)
	}
	c.list = slices.Delete(c.list, i, i+1)
}

// noticed reports whether the user knows of a waiting call.
func (c *calls) noticed() bool {
	return slices.ContainsFunc(c.list, func(k *call) bool { return k.noticed && k.state != finished })
}

// drop forgets the calls that are neither finished nor waiting for a decision.
func (c *calls) drop(waits func(id string) bool) {
	c.list = slices.DeleteFunc(c.list, func(k *call) bool { return k.state != finished && !waits(k.id) })
	clear(c.byID)
	for _, k := range c.list {
		c.byID[k.id] = k
	}
}

// remember stores the call's arguments.
func (k *call) remember(args agent.Raw) {
	if len(args) > 0 && len(args) <= maxArgs {
		k.args = append(k.args[:0], args...)
	}
}

// advance moves the call to a state, unless it is already further.
func (k *call) advance(to callState) { k.state = max(k.state, to) }
