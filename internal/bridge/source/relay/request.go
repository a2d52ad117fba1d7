package relay

import (
	"iter"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A request is a pending request from the editor.
type request struct {
	call    *core.Call
	method  string
	params  []byte
	session *session // nil if it names no known session

	order  int       // of arrival
	up     *upstream // the process it was passed to
	number int64     // its id for the agent
	sent   bool      // it was sent to up
	// serving is set while the relay itself carries it out, which can't be cancelled.
	serving bool
	remote  string // the agent's id of the session that it opens or names, if it has another
	opens   bool   // session is registered only because of this request
	again   again  // why a prompt is sent to the agent for the second time
	// abandoned is set if the editor has a response, but the agent's is still pending.
	abandoned bool
	// startsTurn is set in a _session/steering if the relay starts a turn when none runs.
	startsTurn bool
	forking    forking
}

// forking is what only a session/fork has.
type forking struct {
	of       *session // the original, if it was open when the request arrived
	prompted int      // how many prompts were recorded before it arrived
	// forgets is set if it is sent to the agent as a session/new. It is the notice that tells
	// the user so.
	forgets string
}

// again says why a prompt is sent to the agent again.
type again int

const (
	notAgain again = iota
	goesOn         // the agent has handled it, and now gets a message about it
	retried        // the agent had lost the session
)

// requests are the client's pending requests. The relay's mutex guards them.
type requests struct {
	open map[*request]bool
	last int // the order of the latest request
}

// add registers a request.
func (t *requests) add(q *request) {
	t.open[q] = true
	t.last++
	q.order = t.last
}

var cancelledPrompt = []byte(`{"stopReason":"cancelled"}`)

// copies reports whether a request to fork a session is unanswered.
func (t *requests) copies(session string) bool {
	for q := range t.open {
		if q.method == v1.MethodSessionFork && rawmsg.MemberText(q.params, "sessionId") == session {
			return true
		}
	}
	return false
}

// waits reports whether q is unanswered.
func (t *requests) waits(q *request) bool { return t.open[q] }

// reply answers q with a result, unless it was answered.
func (t *requests) reply(q *request, result []byte) {
	if t.settle(q) {
		q.noteAnswer(rawmsg.Result, result)
		q.call.ReplyJSON(result)
	}
}

// fail answers q with an error, unless it was answered. A session that exists only because of q
// is then gone.
func (t *requests) fail(q *request, err error) {
	if !t.settle(q) {
		return
	}
	q.noteAnswer(rawmsg.Error, core.Wire(err))
	q.call.Fail(err)
	if s := q.session; q.opens && !s.relay.ending {
		notOpened(s, err)
	}
}

// inOrder returns requests in order of arrival.
func inOrder(requests iter.Seq[*request]) []*request {
	return slices.SortedFunc(requests, func(a, b *request) int { return a.order - b.order })
}

func (q *request) isPrompt() bool { return q.method == v1.MethodSessionPrompt }

// needsOpen reports whether the request only makes sense for an open session. An agent
// that can't close sessions may still have it, but its turn would be invisible.
func (q *request) needsOpen() bool {
	switch q.method {
	case v1.MethodSessionPrompt, v1.MethodSteering, v1.MethodSetMode, v1.MethodSetConfig:
		return true
	}
	return false
}

// settle removes q from the pending requests, and reports whether it was pending.
func (t *requests) settle(q *request) bool {
	if !t.open[q] {
		return false
	}
	delete(t.open, q)
	if s := q.session; s != nil {
		s.turn.remove(q)
	}
	return true
}

// greeting returns the client's unanswered "initialize", or nil.
func (t *requests) greeting() *request {
	for q := range t.open {
		if q.method == v1.MethodInitialize && !q.sent && q.up == nil {
			return q
		}
	}
	return nil
}
