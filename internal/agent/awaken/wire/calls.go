package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

const (
	// maxCalls bounds the calls that are remembered, open or not.
	maxCalls = 256
	// maxArgs bounds the arguments that are remembered of a call, to show
	// them again when the user is asked about it.
	maxArgs = 64 << 10
)

// A callState says how far a call is.
type callState int

const (
	writing  callState = iota // the model writes it
	whole                     // it is whole, and has not been said to run
	underway                  // it runs, or waits for a decision
	finished                  // it has ended
)

// A call is what is remembered of a tool call.
type call struct {
	id, name string
	args     agent.Raw
	state    callState
	child    bool     // of a sub-agent: known from its progress alone
	noticed  bool     // the user knows that it waits for something
	progress progress // the last that was heard of it
}

// calls are the last calls of a run.
type calls struct {
	list []*call          // in order
	byID map[string]*call // the last of each id
}

// find returns the call of an id, the last one where there are several; nil
// where there is none.
func (c *calls) find(id string) *call { return c.byID[id] }

// running returns the call of an id that has not ended, nil where there is none.
func (c *calls) running(id string) *call {
	if k := c.byID[id]; k != nil && k.state != finished {
		return k
	}
	return nil
}

// open returns the call of an id that has not ended. It makes one where there
// is none.
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

// makeRoom forgets the first call that has ended, else the first, where there
// are too many.
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

// noticed reports whether the user knows of a call that waits.
func (c *calls) noticed() bool {
	return slices.ContainsFunc(c.list, func(k *call) bool { return k.noticed && k.state != finished })
}

// drop forgets the calls that have neither ended nor wait for somebody.
func (c *calls) drop(waits func(id string) bool) {
	c.list = slices.DeleteFunc(c.list, func(k *call) bool { return k.state != finished && !waits(k.id) })
	clear(c.byID)
	for _, k := range c.list {
		c.byID[k.id] = k
	}
}

// remember keeps the arguments of the call.
func (k *call) remember(args agent.Raw) {
	if len(args) > 0 && len(args) <= maxArgs {
		k.args = append(k.args[:0], args...)
	}
}

// advance notes that the call is at least as far as a state.
func (k *call) advance(to callState) { k.state = max(k.state, to) }
