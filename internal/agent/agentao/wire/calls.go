package wire

import (
	"strconv"

	"github.com/turnwire/turnwire/agent"
)

// maxCalls limits the calls of a turn that are remembered.
const maxCalls = 1 << 10

// A stage is the progress of a call.
type stage uint8

const (
	running  stage = iota
	pending        // apparently ended well; its result decides
	ended          // its end was emitted, without a result
	answered       // its end was emitted, and nothing follows
)

// A call is a tool call of the turn.
type call struct {
	wire      string // its call_id
	id        string // its id in our events, unique in the turn
	tool      string
	parent    string // id of the helper agent that makes the call
	nested    bool   // made by a helper agent, so there will be no result
	stage     stage
	ms        float64
	plan      *agent.Plan // the plan that a todo_write results in
	hidden    bool        // the call is shown only as that plan
	args      agent.Raw   // of a hidden call
	reported  bool        // by tool_start or tool_complete, not only by tool_lifecycle
	unstarted bool        // it ended without a start
	helper    bool        // it belongs to a helper agent that has started
}

// calls are the turn's calls in order.
type calls struct {
	list    []*call
	pending int // number of calls at that stage
}

// add adds a call. If there are too many, it drops the oldest.
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

// unique returns wire, with a number appended if another call of the turn has
// that id. Models reuse ids, even within a batch.
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

// A likeness says how well a call matches the id and the tool name in an event.
// The best is first.
type likeness uint8

const (
	sameIDAndTool likeness = iota
	sameID
	// The call of a helper agent without ids: the tool's name serves as its id,
	// with a label at the start and without one at the end.
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

// find returns the first call that matches an id and a tool name at one of the
// stages. It prefers earlier stages in the list. If the model reused an id, the
// name may tell the calls apart.
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

// byTool returns the tool's first running call.
func (cs *calls) byTool(tool string) *call {
	for _, c := range cs.list {
		if c.stage == running && c.tool == tool {
			return c
		}
	}
	return nil
}

// to moves a call to another stage.
func (cs *calls) to(c *call, s stage) {
	if c.stage == pending {
		cs.pending--
	}
	if s == pending {
		cs.pending++
	}
	c.stage = s
}
