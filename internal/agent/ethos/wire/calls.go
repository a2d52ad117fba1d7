package wire

import (
	"bytes"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// calls holds the running tool calls by id.
type calls map[string]call

// A call is what its end needs to know.
type call struct {
	name string
	args []byte // only for todo tools
}

// start records a call. A call made by a script becomes a child of the script's
// call.
func (c calls) start(e *agent.ToolStart) {
	if parent, ok := c.script(e.ToolCallID); ok {
		e.ParentToolCallID = parent
		if e.Audience == agent.ForAnyone {
			e.Audience = agent.ForInternal // older servers omit it
		}
	}
	started := call{name: e.ToolName}
	if isTodo(e.ToolName) && len(e.Args) <= maxArgs {
		started.args = bytes.Clone(e.Args)
	}
	remember(c, maxCalls, e.ToolCallID, started)
}

// script returns the running call that made the call with the id "<its id>#<n>".
func (c calls) script(id string) (parent string, ok bool) {
	cut := strings.LastIndexByte(id, '#')
	if cut <= 0 || cut+1 == len(id) || strings.Trim(id[cut+1:], "0123456789") != "" {
		return "", false
	}
	_, ok = c[id[:cut]]
	return id[:cut], ok
}

// of returns how many calls of a tool are running, and the id of one of them.
func (c calls) of(tool string) (id string, count int) {
	for running, call := range c {
		if call.name == tool {
			id = running
			count++
		}
	}
	return id, count
}
