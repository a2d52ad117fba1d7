package durable

import (
	"maps"
	"slices"
	"time"
)

// The bounds of what is remembered. What exceeds them is forwarded, but not restored.
const (
	maxSessions = 1 << 10
	maxTools    = 1 << 12
	maxAsked    = 1 << 14
	// manyAsked is when requests that were answered are forgotten.
	manyAsked = 1 << 9
)

// A state is what must be known about the connection in order to end or restore it.
type state struct {
	initialize []byte // the client's params
	greeted    bool   // the client has the initialize response
	notices    bool   // the client shows notices

	calls    map[string]*call // the client's open requests, by id as JSON
	own      map[string]chan<- reply
	lastOwn  int
	asked    map[string]*asked // the server's open requests, by the id that the client knows
	sessions map[string]*session
	loads    int // how many of calls are session/load
	epoch    int // how often the connection was reset
	clock    int // counts the client's requests
}

func newState() state {
	return state{
		calls: make(map[string]*call), own: make(map[string]chan<- reply),
		asked: make(map[string]*asked), sessions: make(map[string]*session),
	}
}

// A call is an open request of the client.
type call struct {
	number  int
	method  string
	session string
	params  []byte
	line    []byte // nil for a prompt, which is never sent again

	cancelled bool
	grace     *time.Timer
	shown     bool // for session/load: the client was shown a part of the history
}

func (c *call) isPrompt() bool { return c.method == methodPrompt }

// An asked is an open request of the server.
type asked struct {
	id      []byte // the server's
	method  string
	session string
	epoch   int
	// answered is set once the client has answered.
	answered bool
}

// A reply is the response to a request of this package.
type reply struct{ result, failure []byte }

// A session is one that the client uses.
type session struct {
	method   string // how to restore it; "" if it can't be
	params   []byte
	used     int
	tools    map[string]bool // the open tool calls
	order    []string        // their ids, oldest first
	ended    int             // turns that ended for the client, but not for the server yet
	turns    int             // the running turns of all clients, if this one is notified of them
	missed   bool            // the server was restarted since: other clients may have prompted
	observes bool            // the client attached as an observer, which it stays
	// owed is set if the client was told that its turn is cancelled, but the server may not
	// have been.
	owed bool
}

// session returns a session's state. It is created if create is set and there is room.
func (s *state) session(id string, create bool) *session {
	known := s.sessions[id]
	if known == nil && create && id != "" && len(s.sessions) < maxSessions {
		known = &session{tools: make(map[string]bool)}
		s.sessions[id] = known
	}
	return known
}

// openCalls returns the ids of the open requests, oldest first.
func (s *state) openCalls() (ids []string) {
	for id := range s.calls {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return s.calls[a].number - s.calls[b].number })
	return ids
}

// prompts reports whether the client has an open prompt in a session.
func (s *state) prompts(id string) bool {
	for _, c := range s.calls {
		if c.isPrompt() && c.session == id {
			return true
		}
	}
	return false
}

// concerned returns the sessions whose users should hear about the connection: those with
// a running turn, or else the one that was used last.
func (s *state) concerned() (ids []string) {
	last := ""
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		known := s.sessions[id]
		if known.turns > 0 || s.prompts(id) {
			ids = append(ids, id)
		}
		if known.method != "" && (last == "" || known.used > s.sessions[last].used) {
			last = id
		}
	}
	if len(ids) == 0 && last != "" {
		ids = append(ids, last)
	}
	return ids
}

// tool records the status of a tool call.
func (s *session) tool(id, status string) {
	switch {
	case status == "completed" || status == "failed":
		delete(s.tools, id)
		s.order = slices.DeleteFunc(s.order, func(other string) bool { return other == id })
	case !s.tools[id] && len(s.tools) < maxTools:
		s.tools[id] = true
		s.order = append(s.order, id)
	}
}
