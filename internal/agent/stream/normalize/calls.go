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

// calls holds the tool calls of a turn.
type calls struct {
	seed    maphash.Seed
	seen    map[uint64]int     // hashes of the ids used in the session, each with the last number appended to it
	byAgent map[string][]*Tool // the turn's calls by the agent's id, in order
	open    []*Tool            // the open calls, in order
	ended   []*Tool            // the most recently ended calls, in order
}

func newCalls() calls {
	return calls{seed: maphash.MakeSeed(), seen: make(map[uint64]int)}
}

func (c *calls) begin() {
	c.byAgent = make(map[string][]*Tool)
	c.open, c.ended = nil, nil
}

// find returns the call that the agent means by id: the first open one, or the
// last ended one if none is open. It returns nil for an empty id.
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

// onlyOpen returns the open call with this name, or nil unless exactly one
// exists.
func (c *calls) onlyOpen(name string) *Tool {
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

// add adds a call with an id that is unique in the session.
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

// unique returns base, with a number appended if base is taken. It remembers
// the last number, because an agent may use one id thousands of times.
func (c *calls) unique(base string) string {
	if c.claim(base) {
		return base
	}
	h := maphash.String(c.seed, base)
	for n := c.seen[h] + 1; ; n++ {
		id := base + "#" + strconv.Itoa(n)
		if c.claim(id) {
			if _, found := c.seen[h]; found { // claim may have cleared the map
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

// end moves a call from the open to the ended calls, and forgets the oldest
// ended call if there are too many.
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

// announced holds what the events that announce a call have in common.
type announced struct {
	id, name, parent string
	args             agent.Raw
	view             agent.View
	status           Status
	hidden           bool
	complete         bool // the arguments are final
	awaitsConsent    bool // the agent waits for consent
	apart            bool // not the same call as the one with this id
}

// announce finds or adds the call of an announcement, and updates it. If a
// running call starts again, that is a new call.
func (t *Normalizer) announce(a announced) (tool *Tool, first bool) {
	tool = t.calls.find(a.id)
	if tool == nil || a.apart || tool.Status.Terminal() || tool.Status == Running && a.status == Running {
		if len(t.calls.open) >= maxOpen {
			t.closeCall(t.calls.open[0], false, "dropped: too many calls are open")
		}
		tool, first = t.calls.add(a.id, a.name), true
		tool.hidden = a.hidden
	}
	fresh := first // the description must be computed again
	if a.name != "" && a.name != tool.Name {
		tool.Name, fresh = a.name, true
	}
	if present(a.args) && !sameArgs(tool.Args, a.args) {
		tool.Args, fresh = readable(a.args), true
	}
	if a.awaitsConsent && !tool.Asked && tool.Status == Pending {
		tool.Asked, fresh = true, true
	}
	if a.parent != "" && a.parent != a.id {
		tool.Parent = a.parent
		if p := t.calls.find(a.parent); p != nil {
			tool.Parent = p.ID
		}
	}
	tool.Status = max(tool.Status, a.status)
	if tool.Args == nil && (a.complete || tool.Status == Running) && tool.argsText != nil {
		tool.Args, fresh = whole(tool.argsText), true
	}
	if !isEmpty(a.view) {
		tool.given, fresh = merge(tool.given, a.view), true
	}
	t.addTerminal(tool, a.view.TerminalID)
	if fresh { // only if needed: arguments may be long
		t.describe(tool)
	}
	return tool, first
}

// present reports whether the agent sent a value. Null counts as absent.
func present(r agent.Raw) bool { return len(r) > 0 && string(r) != "null" }

// whole returns the value that was streamed as pieces of JSON text, compacted
// to one line. It returns nil if the pieces form no valid JSON.
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

// merge overrides members of v with those set in more.
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

// findOrAnnounce returns the call that an event is about. If the agent never
// announced it, findOrAnnounce does, so that the user sees what the event is
// about.
func (t *Normalizer) findOrAnnounce(id, name string, status Status) *Tool {
	tool := t.calls.find(id)
	if id == "" {
		tool = t.calls.onlyOpen(name)
	}
	if tool != nil {
		return tool
	}
	tool, _ = t.announce(announced{id: id, name: name, status: status})
	t.yieldCall(Step{Event: t.announcement(tool), Tool: tool, First: true})
	return tool
}

// reveal announces a call that was hidden.
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
