package relay

import (
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxCalls bounds the calls remembered per session.
const maxCalls = 4096

// A callState is the state of a tool call.
type callState byte

const (
	callOpen callState = iota + 1
	callEnded
	callClosed // closed by the relay
)

// calls are a session's tool calls. The relay's mutex guards them.
type calls struct {
	states  map[string]callState    // by the id's text as JSON
	details map[string]*callDetails // of running calls; see detailsKey
	message string                  // the message id of the last chunk
}

func newCalls() calls {
	return calls{states: make(map[string]callState), details: make(map[string]*callDetails)}
}

// note records the state of a call from an update, and returns the state before.
func (c *calls) note(u *update) (before callState) {
	before = c.states[string(u.call)]
	now := max(before, callOpen)
	switch {
	case u.isFinal():
		now = callEnded
	case before == callEnded && string(u.kind) == kindCall: // the agent uses the id again
		now = callOpen
	}
	if now == before {
		return before
	}
	if before == 0 && len(c.states) >= maxCalls {
		maps.DeleteFunc(c.states, func(_ string, state callState) bool { return state != callOpen })
		if len(c.states) >= maxCalls {
			return before // no agent ends that many calls
		}
	}
	c.states[string(u.call)] = now
	return before
}

// noteMessage records the message that a chunk belongs to.
func (c *calls) noteMessage(u *update) {
	if string(u.message) != c.message {
		c.message = string(u.message)
	}
}

// close marks the open calls as closed, and returns updates that report them as failed.
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

// isLate reports whether an update between turns belongs to the previous turn. An
// update with a new id does not.
func (c *calls) isLate(u *update, kind string) bool {
	switch kind {
	case kindCall, kindCallUpdate:
		return c.states[string(u.call)] == callClosed
	}
	return len(u.message) == 0 || string(u.message) == c.message
}

// detailsOf returns the details about a running call, or nil. remote is the id of the
// call's session, or of the sub-agent's.
func (c *calls) detailsOf(remote, id string) *callDetails { return c.details[detailsKey(remote, id)] }

// learn records an update's details about a call.
func (c *calls) learn(remote string, u *update) {
	if kind := string(u.kind); kind != kindCall && kind != kindCallUpdate {
		return
	}
	key := detailsKey(remote, rawjson.String(u.call).String())
	if u.isFinal() {
		delete(c.details, key)
		return
	}
	f := c.details[key]
	if f == nil {
		if len(c.details) >= maxCalls {
			return
		}
		f = new(callDetails)
		c.details[key] = f
	}
	for _, m := range u.members {
		f.record(m.key, m.value)
	}
}

// detailsKey returns the key of a call's details. It includes the session, because
// sub-agents have their own call ids.
func detailsKey(remote, call string) string { return remote + "\x00" + call }
