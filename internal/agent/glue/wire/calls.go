package wire

import (
	"slices"
	"strconv"
)

const (
	maxOpen = 256     // calls, sub-agents and requests that are remembered
	maxID   = 1 << 10 // bytes of an id that is
)

// An openCall is a tool call that has no result yet.
type openCall struct {
	id, name string
	task     string // of a call that spawns a sub-agent
}

// calls are the open calls of a conversation, in order. Some have no id (Glue
// logs a skill that the user chose without one), and neither has a result
// that comes straight from a tool: Glue gives results in the order of the
// calls, so the first that is open is meant.
type calls struct {
	open   []openCall
	minted int
}

// begin notes a call and returns its id, which is a new one for a call that has
// none.
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

// end returns the call that a result is for, and forgets it.
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

// name is the name of an open call.
func (c *calls) name(id string) string {
	if i := c.index(id); i >= 0 {
		return c.open[i].name
	}
	return ""
}

// only is the id of the one open call of a name, "" where there are none or
// more.
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

// spawner is the id of the call that spawned a sub-agent: the one of that task,
// else the only one that spawns.
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
