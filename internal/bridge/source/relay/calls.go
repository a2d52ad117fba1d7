package relay

import (
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxCalls bounds the calls of a session that are remembered.
const maxCalls = 4096

// A callState is how far a tool call is.
type callState byte

const (
	callOpen callState = iota + 1
	callEnded
	callClosed // by the relay
)

// calls are the tool calls of a session. The relay's mutex guards them.
type calls struct {
	states  map[string]callState // by the id's text as JSON
	facts   map[string]*facts    // of calls that run; see factKey
	message string               // the id of the last chunk's message
}

func newCalls() calls {
	return calls{states: make(map[string]callState), facts: make(map[string]*facts)}
}

// note takes what an update says of its call, and returns what was known before.
func (c *calls) note(u *update) (before callState) {
	before = c.states[string(u.call)]
	now := max(before, callOpen)
	if u.isFinal() {
		now = callEnded
	}
	if now == before {
		return before
	}
	if before == 0 && len(c.states) >= maxCalls {
		maps.DeleteFunc(c.states, func(_ string, state callState) bool { return state != callOpen })
		if len(c.states) >= maxCalls {
			return before // nobody will end so many
		}
	}
	c.states[string(u.call)] = now
	return before
}

// noteMessage takes the message that a chunk belongs to.
func (c *calls) noteMessage(u *update) {
	if string(u.message) != c.message {
		c.message = string(u.message)
	}
}

// close closes the calls that are open, and returns the updates that say so.
func (c *calls) close() (ends [][]byte) {
	for _, id := range slices.Sorted(maps.Keys(c.states)) {
		if c.states[id] != callOpen {
			continue
		}
		c.states[id] = callClosed
		body := append([]byte(`{"sessionUpdate":"tool_call_update","toolCallId":"`), id...)
		ends = append(ends, append(body, `","status":"failed"}`...))
	}
	return ends
}

// isLate reports whether an update that comes while no turn runs belongs to the last
// one. What has a new id is something new.
func (c *calls) isLate(u *update, kind string) bool {
	switch kind {
	case kindCall, kindCallUpdate:
		return c.states[string(u.call)] == callClosed
	}
	return len(u.message) == 0 || string(u.message) == c.message
}

// factsOf returns the facts of a call that runs, or nil. remote is the session of the
// call, or of a sub-agent.
func (c *calls) factsOf(remote, id string) *facts { return c.facts[factKey(remote, id)] }

// learn remembers what an update says of a call.
func (c *calls) learn(remote string, u *update) {
	if kind := string(u.kind); kind != kindCall && kind != kindCallUpdate {
		return
	}
	key := factKey(remote, rawjson.String(u.call).String())
	if u.isFinal() {
		delete(c.facts, key)
		return
	}
	f := c.facts[key]
	if f == nil {
		if len(c.facts) >= maxCalls {
			return
		}
		f = new(facts)
		c.facts[key] = f
	}
	for _, m := range u.members {
		f.learn(m.key, m.value)
	}
}

// factKey is where the facts of a call are: sub-agents have their own ids.
func factKey(remote, call string) string { return remote + "\x00" + call }
