package awaken

import (
	"bytes"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

const (
	// maxCalls bounds the calls that are remembered, open or not.
	maxCalls = 256
	// maxArgs bounds the arguments that are remembered of a call, to show
	// them again when the person is asked about it.
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
	noticed  bool     // the person was told that it waits for something
	told     progress // what was last said of its progress
}

// calls are the last calls of a run, in order.
type calls struct{ list []*call }

// find returns the call of an id, the last one where there are several; nil
// where there is none.
func (c *calls) find(id string) *call {
	for _, known := range slices.Backward(c.list) {
		if known.id == id {
			return known
		}
	}
	return nil
}

// open returns the call of an id that has not ended. It makes one where there
// is none.
func (c *calls) open(id, name string) *call {
	known := c.find(id)
	if known == nil || known.state == finished {
		known = &call{id: id}
		c.list = append(c.list, known)
		c.forget()
	}
	if name != "" {
		known.name = name
	}
	return known
}

// forget makes room: for the first call that has ended, else for the first.
func (c *calls) forget() {
	if len(c.list) <= maxCalls {
		return
	}
	i := max(0, slices.IndexFunc(c.list, func(k *call) bool { return k.state == finished }))
	c.list = slices.Delete(c.list, i, i+1)
}

// noticed tells whether the person was told of a call that waits.
func (c *calls) noticed() bool {
	return slices.ContainsFunc(c.list, func(k *call) bool { return k.noticed && k.state != finished })
}

// drop forgets the calls that have neither ended nor wait for somebody.
func (c *calls) drop(waits func(id string) bool) {
	c.list = slices.DeleteFunc(c.list, func(k *call) bool { return k.state != finished && !waits(k.id) })
}

func (k *call) remember(args agent.Raw) {
	if present(args) && len(args) <= maxArgs {
		k.args = bytes.Clone(args)
	}
}
