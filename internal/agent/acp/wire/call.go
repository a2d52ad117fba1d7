package wire

import (
	"encoding/json"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// wireCall is `ToolCall` and `ToolCallUpdate`. A missing field leaves the
// call's value unchanged.
type wireCall struct {
	ID        string            `json:"toolCallId"`
	Title     string            `json:"title"`
	Name      string            `json:"name"`
	Kind      string            `json:"kind"`
	Status    string            `json:"status"`
	Content   []json.RawMessage `json:"content"`
	Locations json.RawMessage   `json:"locations"`
	RawInput  json.RawMessage   `json:"rawInput"`
	RawOutput json.RawMessage   `json:"rawOutput"`
	Meta      json.RawMessage   `json:"_meta"`
	// Adds marks Agentao, which sends this additional member, and whose content
	// is only the newest piece.
	Adds json.RawMessage `json:"schema_version"`
}

// meta holds the members of _meta that Turnwire itself writes, for streams from
// another Turnwire.
type meta struct {
	Parent    string   `json:"turnwire.dev/parentToolCallId"`
	Percent   *float64 `json:"turnwire.dev/percent"`
	Duration  float64  `json:"turnwire.dev/durationMs"`
	ExitCode  *int     `json:"turnwire.dev/exitCode"`
	Cancelled bool     `json:"turnwire.dev/cancelled"`
}

func (w *wireCall) ends() bool { return w.Status == "completed" || w.Status == "failed" }

func (w *wireCall) meta() meta {
	var m meta
	if len(w.Meta) > 0 && exactjson.Unmarshal(w.Meta, &m) != nil {
		return meta{} // _meta may hold anything
	}
	return m
}

func (w *wireCall) locations() []agent.Location {
	var raws []json.RawMessage
	if exactjson.Unmarshal(w.Locations, &raws) != nil || raws == nil {
		return nil
	}
	out := make([]agent.Location, 0, len(raws))
	for _, raw := range raws {
		var l struct {
			Path string  `json:"path"`
			Line float64 `json:"line"`
		}
		if exactjson.Unmarshal(raw, &l) == nil && l.Path != "" {
			out = append(out, agent.Location{Path: l.Path, Line: int(max(0, min(l.Line, 1<<31-1)))})
		}
	}
	return out
}

// A call is the state of one tool call in the turn.
type call struct {
	id         string // its id in our events
	name       string
	state      state
	sums       [fields]uint64 // hashes of the last values, to detect changes
	shown      output
	items      []agent.Content // content other than text, held until the end
	output     json.RawMessage // rawOutput
	hadContent bool            // its end had content
	changed    bool            // its content had diffs
	about      string          // its text before it ran, which was not shown
}

type state uint8

const (
	waiting state = iota
	running
	done
)

// field is a part of a call that agents send repeatedly.
type field int

const (
	title field = iota
	kind
	locations
	input
	body
	fields
)

// differs reports whether value differs from the last value of a field. A missing
// or null value is no change.
func (c *call) differs(f field, value []byte) bool {
	if len(value) == 0 || string(value) == "null" {
		return false
	}
	now := sum(value)
	changed := now != c.sums[f]
	c.sums[f] = now
	return changed
}

func sum(value []byte) uint64 { return maphash.Bytes(seed, value) }

// maxCalls limits the calls of a turn that are remembered. maxOutput limits a
// stored raw output.
const (
	maxCalls  = 512
	maxOutput = 1 << 20
)

// calls holds the turn's calls.
type calls struct {
	byID  map[string][]*call // by the agent's id, in order
	order []string           // the ids, oldest first
	// unclaimed are the calls that are only known from a permission request.
	unclaimed []*call
}

func newCalls() calls { return calls{byID: make(map[string][]*call)} }

// find returns the call that the agent means: the first one that has not ended,
// or else the last one.
func (cs *calls) find(id string) *call {
	list := cs.byID[id]
	for _, c := range list {
		if c.state != done {
			return c
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// add adds another call with the agent's id.
func (cs *calls) add(id string) *call {
	c := &call{id: id}
	if n := len(cs.byID[id]); n > 0 {
		c.id = id + "#" + strconv.Itoa(n+1)
	}
	cs.set(id, c)
	return c
}

func (cs *calls) set(id string, c *call) {
	if len(cs.order) >= maxCalls {
		delete(cs.byID, cs.order[0])
		cs.order = cs.order[1:]
	}
	cs.byID[id] = append(cs.byID[id], c)
	cs.order = append(cs.order, id)
}

// claim returns the unclaimed call that an announcement belongs to, despite its
// other id. The arguments must match. If the announcement has no arguments, it
// matches only if exactly one call is unclaimed.
func (cs *calls) claim(w *wireCall) *call {
	at := slices.IndexFunc(cs.unclaimed, func(c *call) bool {
		return len(w.RawInput) > 0 && c.sums[input] == sum(w.RawInput) ||
			len(w.RawInput) == 0 && len(cs.unclaimed) == 1
	})
	if at < 0 {
		return nil
	}
	c := cs.unclaimed[at]
	cs.unclaimed = slices.Delete(cs.unclaimed, at, at+1)
	cs.set(w.ID, c)
	return c
}
