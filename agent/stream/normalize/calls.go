package normalize

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// calls are the tool calls of a turn.
type calls struct {
	seed    maphash.Seed
	seen    map[uint64]int     // hashes of the ids that the session has used, with the last number behind each
	byAgent map[string][]*Tool // the calls of the turn, by the agent's id, in order
	open    []*Tool            // those that have not ended, in order
	ended   []*Tool            // the last ones that have, in order
}

func newCalls() calls {
	return calls{seed: maphash.MakeSeed(), seen: make(map[uint64]int)}
}

func (c *calls) begin() {
	c.byAgent = make(map[string][]*Tool)
	c.open, c.ended = nil, nil
}

// find returns the call that the agent means by id: the first open one, else
// the last one that ended. The empty id means none.
func (c *calls) find(id string) *Tool {
	if id == "" {
		return nil
	}
	list := c.byAgent[id]
	for _, tool := range list {
		if !tool.Status.Terminal() {
			return tool
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// only returns the one open call of a name, nil where there are none or more.
func (c *calls) only(name string) *Tool {
	var found *Tool
	for _, tool := range c.open {
		if tool.Name == name {
			if found != nil {
				return nil
			}
			found = tool
		}
	}
	return found
}

// add makes a call with an id that is new in the session.
func (c *calls) add(agentID, name string) *Tool {
	base := agentID
	if base == "" {
		base = "call"
	}
	tool := &Tool{ID: c.unique(base), AgentID: agentID, Name: name}
	c.byAgent[agentID] = append(c.byAgent[agentID], tool)
	c.open = append(c.open, tool)
	return tool
}

// unique returns base, with a number behind it where base is taken. The last
// number is remembered: an agent may use one id thousands of times.
func (c *calls) unique(base string) string {
	if c.claim(base) {
		return base
	}
	h := maphash.String(c.seed, base)
	for n := c.seen[h] + 1; ; n++ {
		id := base + "#" + strconv.Itoa(n)
		if c.claim(id) {
			if _, kept := c.seen[h]; kept { // it may have been forgotten just now
				c.seen[h] = n
			}
			return id
		}
	}
}

func (c *calls) claim(id string) bool {
	h := maphash.String(c.seed, id)
	if _, taken := c.seen[h]; taken {
		return false
	}
	if len(c.seen) >= maxSeen {
		clear(c.seen)
		for _, tool := range c.open {
			c.seen[maphash.String(c.seed, tool.ID)] = 1
		}
	}
	c.seen[h] = 1
	return true
}

// end moves a call from the open ones to the ended ones, of which only the
// last are remembered.
func (c *calls) end(tool *Tool) {
	if i := slices.Index(c.open, tool); i >= 0 {
		c.open = slices.Delete(c.open, i, i+1)
	}
	c.ended = append(c.ended, tool)
	if len(c.ended) <= maxEnded {
		return
	}
	oldest := c.ended[0]
	c.ended[0] = nil
	c.ended = c.ended[1:]
	same := c.byAgent[oldest.AgentID]
	if i := slices.Index(same, oldest); i >= 0 {
		same = slices.Delete(same, i, i+1)
	}
	c.byAgent[oldest.AgentID] = same
	if len(same) == 0 {
		delete(c.byAgent, oldest.AgentID)
	}
}

// announced is what the events that announce a call have in common.
type announced struct {
	id, name, parent string
	args             agent.Raw
	view             agent.View
	status           Status
	hidden           bool
	apart            bool // it is another call than the one of that id
}

// announce finds or makes the call of an announcement and takes over what is
// new. A call that runs already and is started again is another call.
func (t *Normalizer) announce(a announced) (tool *Tool, first bool) {
	tool = t.calls.find(a.id)
	if tool == nil || a.apart || tool.Status.Terminal() || tool.Status == Running && a.status == Running {
		if len(t.calls.open) >= maxOpen {
			t.closeCall(t.calls.open[0], false, "given up: too many calls are open")
		}
		tool, first = t.calls.add(a.id, a.name), true
		tool.hidden = a.hidden
	}
	fresh := first // there is something new to describe
	if a.name != "" && a.name != tool.Name {
		tool.Name, fresh = a.name, true
	}
	if present(a.args) {
		tool.Args, fresh = readable(a.args), true
	}
	if a.parent != "" && a.parent != a.id {
		tool.Parent = a.parent
		if p := t.calls.find(a.parent); p != nil {
			tool.Parent = p.ID
		}
	}
	tool.Status = max(tool.Status, a.status)
	if tool.Args == nil && tool.Status == Running {
		tool.Args, fresh = whole(tool.argsText), true
	}
	if !isEmpty(a.view) {
		tool.given, fresh = merge(tool.given, a.view), true
	}
	if fresh { // arguments may be long
		tool.View = describe(t, tool)
	}
	return tool, first
}

// present reports whether an agent gave a value: null is the same as nothing.
func present(r agent.Raw) bool { return len(r) > 0 && string(r) != "null" }

// whole is the value that was streamed as pieces of JSON text, nil where they
// are none. It is one line, whatever the agent's text has between its tokens.
func whole(pieces rawjson.String) agent.Raw {
	var out bytes.Buffer
	if json.Compact(&out, []byte(pieces.String())) != nil {
		return nil
	}
	return rawjson.CleanValue(out.Bytes())
}

func isEmpty(v agent.View) bool {
	return v.Title == "" && v.Kind == "" && v.Locations == nil && v.Diffs == nil
}

// merge lays what is set in more over v.
func merge(v, more agent.View) agent.View {
	if more.Title != "" {
		v.Title = more.Title
	}
	if more.Kind != "" {
		v.Kind = more.Kind
	}
	if more.Locations != nil {
		v.Locations = more.Locations
	}
	if more.Diffs != nil {
		v.Diffs = more.Diffs
	}
	return v
}

// known returns the call that an event is about; one that was never announced
// is announced first, so that the user sees what the event is about.
func (t *Normalizer) known(id, name string, status Status) *Tool {
	tool := t.calls.find(id)
	if id == "" {
		tool = t.calls.only(name)
	}
	if tool != nil {
		return tool
	}
	tool, _ = t.announce(announced{id: id, name: name, status: status})
	t.yieldCall(Step{Event: t.announcement(tool), Tool: tool, First: true})
	return tool
}

// reveal announces a call that was hidden so far.
func (t *Normalizer) reveal(tool *Tool) {
	if tool.hidden {
		tool.hidden = false
		t.yieldCall(Step{Event: t.announcement(tool), Tool: tool, First: true})
	}
}

func (t *Normalizer) announcement(tool *Tool) agent.Event {
	if tool.Status == Pending {
		return &agent.ToolReady{ToolCallID: tool.ID, ToolName: tool.Name, Args: tool.Args}
	}
	return &agent.ToolStart{ToolCallID: tool.ID, ToolName: tool.Name, Args: tool.Args}
}
