package wire

import (
	"strconv"

	"github.com/turnwire/turnwire/agent"
)

// maxCalls bounds the calls of a turn that are remembered.
const maxCalls = 1 << 10

// A stage is how far a call is.
type stage uint8

const (
	running  stage = iota
	pending        // it has ended well, as far as is known; its result decides
	ended          // its end was emitted, without a result
	answered       // its end was emitted, and nothing follows
)

// A call is a tool call of the turn.
type call struct {
	wire      string // its call_id
	id        string // its id in our events, which no other call of the turn has
	tool      string
	parent    string // id of the helper agent that makes it
	nested    bool   // a helper agent makes it, so it will have no result
	stage     stage
	ms        float64
	plan      *agent.Plan // what a todo_write makes of the plan
	hidden    bool        // the call is shown as that plan alone
	args      agent.Raw   // of a hidden call
	reported  bool        // by tool_start or tool_complete, not by tool_lifecycle alone
	unstarted bool        // it ended without having begun
	helper    bool        // it is a helper agent's, which has begun
}

// calls are the calls of a turn in their order.
type calls struct {
	list    []*call
	pending int // how many are at that stage
}

// add adds a call. The oldest is given up where there are too many.
func (cs *calls) add(c *call) *call {
	if len(cs.list) >= maxCalls {
		if cs.list[0].stage == pending {
			cs.pending--
		}
		cs.list = cs.list[1:]
	}
	cs.list = append(cs.list, c)
	return c
}

// unique is wire, with a number after it where a call of the turn has it: models
// repeat ids, even within a batch.
func (cs *calls) unique(wire string) string {
	id := wire
	for n := 2; cs.taken(id); n++ {
		id = wire + "#" + strconv.Itoa(n)
	}
	return id
}

func (cs *calls) taken(id string) bool {
	for _, c := range cs.list {
		if c.id == id {
			return true
		}
	}
	return false
}

// A likeness is how a call is like the id and the name of a tool that an event
// gives, the best first.
type likeness uint8

const (
	sameIDAndTool likeness = iota
	sameID
	// A helper agent whose calls have no ids names the tool instead, with a label
	// before it at the start and without it at the end.
	labelled
	likenesses
)

func (c *call) is(wire, tool string, how likeness) bool {
	switch how {
	case sameIDAndTool:
		return c.wire == wire && c.tool == tool
	case sameID:
		return c.wire == wire
	}
	return wire == tool && c.nested && c.tool == tool && c.wire != "" && c.wire[0] == '['
}

// find returns the first call that is meant by an id and a tool's name and is
// at one of the stages, earlier ones in the list of stages first. Where the
// model has given an id twice the name may tell which.
func (cs *calls) find(wire, tool string, at ...stage) *call {
	for _, s := range at {
		for how := range likenesses {
			for _, c := range cs.list {
				if c.stage == s && c.is(wire, tool, how) {
					return c
				}
			}
		}
	}
	return nil
}

// byTool returns the first running call of a tool.
func (cs *calls) byTool(tool string) *call {
	for _, c := range cs.list {
		if c.stage == running && c.tool == tool {
			return c
		}
	}
	return nil
}

// to moves a call to a stage.
func (cs *calls) to(c *call, s stage) {
	if c.stage == pending {
		cs.pending--
	}
	if s == pending {
		cs.pending++
	}
	c.stage = s
}
