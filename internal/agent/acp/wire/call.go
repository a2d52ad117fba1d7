package wire

import (
	"encoding/json"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// wireCall is `ToolCall` and `ToolCallUpdate`. A nil pointer or slice of raw
// JSON leaves a field as it is.
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
	// Adds marks Agentao, which has this member beside the protocol's and
	// whose content is the newest piece alone.
	Adds json.RawMessage `json:"schema_version"`
}

// meta are the members of _meta that this program writes itself, and so knows
// of a Turnwire behind it.
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
		return meta{} // it may hold anything
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

// A call is what is remembered of a tool call of the turn.
type call struct {
	id      string // as it is called here
	name    string
	state   state
	sums    [fields]uint64 // hashes of what was said, to know what is new
	shown   output
	items   []agent.Content // that no output can hold, and wait for the end
	output  json.RawMessage // rawOutput
	told    bool            // its end had something in it
	changed bool            // its content had diffs
	about   string          // its text while it did not run, which was not shown
}

type state uint8

const (
	waiting state = iota
	running
	over
)

// field is a part of a call that is sent again and again.
type field int

const (
	title field = iota
	kind
	locations
	input
	body
	fields
)

// news reports whether value is another than the last in a field. Nothing is no
// news.
func (c *call) news(f field, value []byte) bool {
	if len(value) == 0 || string(value) == "null" {
		return false
	}
	now := sum(value)
	news := now != c.sums[f]
	c.sums[f] = now
	return news
}

func sum(value []byte) uint64 { return maphash.Bytes(seed, value) }

// maxCalls bounds the calls of a turn that are remembered, and maxOutput what
// is kept of a raw output.
const (
	maxCalls  = 512
	maxOutput = 1 << 20
)

// calls are those of a turn.
type calls struct {
	byID  map[string][]*call // by the agent's id, in order
	order []string           // the ids, the oldest first
	// unclaimed are the calls that are known by a permission request alone.
	unclaimed []*call
}

func newCalls() calls { return calls{byID: make(map[string][]*call)} }

// find is the call that the agent means: the first that runs, else the last.
func (cs *calls) find(id string) *call {
	list := cs.byID[id]
	for _, c := range list {
		if c.state != over {
			return c
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// add makes one more call with the agent's id.
func (cs *calls) add(id string) *call {
	c := &call{id: id}
	if n := len(cs.byID[id]); n > 0 {
		c.id = id + "#" + strconv.Itoa(n+1)
	}
	cs.put(id, c)
	return c
}

func (cs *calls) put(id string, c *call) {
	if len(cs.order) >= maxCalls {
		delete(cs.byID, cs.order[0])
		cs.order = cs.order[1:]
	}
	cs.byID[id] = append(cs.byID[id], c)
	cs.order = append(cs.order, id)
}

// claim gives the call that the user was asked about to the announcement
// that is the same but for its id. Of an update without arguments it is only
// known whose it is where no other call can be meant.
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
	cs.put(w.ID, c)
	return c
}
