package ethos

import (
	"bytes"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// What is remembered of a stream is bounded, whatever it says.
const (
	maxCalls = 1 << 10
	maxArgs  = 64 << 10
)

// calls are the tool calls that run.
type calls struct{ open map[string]call }

// A call is what of it its end needs.
type call struct {
	name string
	args []byte // of todo tools alone
}

func newCalls() calls { return calls{open: make(map[string]call)} }

func (c *calls) clear() { clear(c.open) }

// start remembers a call, and puts one that a script makes below its script.
func (c *calls) start(e *agent.ToolStart) {
	if parent, ok := c.script(e.ToolCallID); ok {
		e.ParentToolCallID = parent
		if e.Audience == agent.ForAnyone {
			// Older servers lose it on the way.
			e.Audience = agent.ForInternal
		}
	}
	if len(c.open) >= maxCalls {
		clear(c.open)
	}
	known := call{name: e.ToolName}
	if isTodo(e.ToolName) && len(e.Args) <= maxArgs {
		known.args = bytes.Clone(e.Args)
	}
	c.open[e.ToolCallID] = known
}

// script is the running call of which id is "<its id>#<n>".
func (c *calls) script(id string) (parent string, ok bool) {
	cut := strings.LastIndexByte(id, '#')
	if cut <= 0 || cut+1 == len(id) || strings.Trim(id[cut+1:], "0123456789") != "" {
		return "", false
	}
	_, ok = c.open[id[:cut]]
	return id[:cut], ok
}

func (c *calls) end(id string) call {
	known := c.open[id]
	delete(c.open, id)
	return known
}

// runs tells whether a call of a tool runs.
func (c *calls) runs(name string) bool {
	for _, known := range c.open {
		if known.name == name {
			return true
		}
	}
	return false
}

// clarifying is the id of the one running call of the tool clarify, "" where
// there are none or more.
func (c *calls) clarifying() (id string) {
	for open, known := range c.open {
		if known.name != "clarify" {
			continue
		}
		if id != "" {
			return ""
		}
		id = open
	}
	return id
}
