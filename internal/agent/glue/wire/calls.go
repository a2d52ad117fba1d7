package wire

import (
	"slices"
	"strconv"
)

const (
	maxOpen = 256     // number of remembered calls, sub-agents and requests
	maxID   = 1 << 10 // length of a remembered id, in bytes
)

// An openCall is a tool call without a result.
type openCall struct {
	id, name string
	task     string // for a call that spawns a sub-agent
}

// calls are a conversation's open calls, in order. Some have no id: Glue logs a
// skill that the user chose without one. Nor does a result that comes directly
// from a tool have an id. Glue returns results in the order of the calls, so
// such a result belongs to the first open call.
type calls struct {
	open   []openCall
	minted int
}

// begin records a call and returns its id. A call without an id gets a new one.
func (c *calls) begin(id, name, task string) string {
	if id == "" {
		c.minted++
		id = "glue:" + strconv.Itoa(c.minted)
	}
	if len(id) > maxID {
		return id
	}
	name, task = short(name), short(task)
	if i := c.index(id); i >= 0 {
		c.open[i] = openCall{id, name, task}
		return id
	}
	if len(c.open) == maxOpen {
		c.open = slices.Delete(c.open, 0, 1)
	}
	c.open = append(c.open, openCall{id, name, task})
	return id
}

// end removes and returns the call that a result belongs to.
func (c *calls) end(id, name string) openCall {
	i := c.index(id)
	if id == "" {
		i = slices.IndexFunc(c.open, func(o openCall) bool { return name == "" || o.name == name })
	}
	if i < 0 {
		return openCall{id: id, name: name}
	}
	call := c.open[i]
	c.open = slices.Delete(c.open, i, i+1)
	return call
}

// name returns the name of an open call, or "".
func (c *calls) name(id string) string {
	if i := c.index(id); i >= 0 {
		return c.open[i].name
	}
	return ""
}

// only returns the id of the open call with this name. It returns "" if several
// or no open calls have it.
func (c *calls) only(name string) string {
	found := ""
	for _, o := range c.open {
		if o.name == name {
			if found != "" {
				return ""
			}
			found = o.id
		}
	}
	return found
}

// spawner returns the id of the call that spawned a sub-agent: the one with
// that task, or else the only spawning call.
func (c *calls) spawner(task string, parallel bool) string {
	if parallel {
		return c.only(toolSpawnParallel)
	}
	for _, o := range c.open {
		if o.name == toolSpawn && o.task == short(task) {
			return o.id
		}
	}
	return c.only(toolSpawn)
}

func (c *calls) index(id string) int {
	return slices.IndexFunc(c.open, func(o openCall) bool { return o.id == id })
}
