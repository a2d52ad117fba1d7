package relay

import (
	"iter"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A request is one of the editor's that is not answered.
type request struct {
	call    *core.Call
	method  string
	params  []byte
	session *session // nil where it names none that is known

	order  int       // in which they came
	up     *upstream // it was given to
	number int64     // the id that the agent knows
	sent   bool      // to up
	opens  bool      // session is known by this request alone
	again  bool      // a prompt that the agent gets for the second time
	// abandoned is set where the editor has its answer and the agent's is to come.
	abandoned bool
	// forgets is set in a session/fork that the agent is to take for a
	// session/new: what the user is told of that.
	forgets string
}

// requests are those of the client that are not answered. The relay's mutex guards them.
type requests struct {
	open map[*request]bool
	last int // the order of the last one
}

// add enters a request.
func (t *requests) add(q *request) {
	t.open[q] = true
	t.last++
	q.order = t.last
}

var cancelledPrompt = []byte(`{"stopReason":"cancelled"}`)

// waits reports whether q is not answered.
func (t *requests) waits(q *request) bool { return t.open[q] }

// reply answers q with a result, unless it is answered.
func (t *requests) reply(q *request, result []byte) {
	if t.settle(q) {
		q.noteAnswer(rawmsg.Result, result)
		q.call.ReplyJSON(result)
	}
}

// fail answers q with an error, unless it is answered.
func (t *requests) fail(q *request, err error) {
	if t.settle(q) {
		q.noteAnswer(rawmsg.Error, core.Wire(err))
		q.call.Fail(err)
	}
}

// inOrder are requests in the order in which they came.
func inOrder(requests iter.Seq[*request]) []*request {
	return slices.SortedFunc(requests, func(a, b *request) int { return a.order - b.order })
}

// isPrompt reports whether q is a prompt.
func (q *request) isPrompt() bool { return q.method == v1.MethodSessionPrompt }

// settle takes q from those that wait, and reports whether it was one of them.
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

// greeting returns the client's "initialize" that is not answered, or nil.
func (t *requests) greeting() *request {
	for q := range t.open {
		if q.method == v1.MethodInitialize && !q.sent && q.up == nil {
			return q
		}
	}
	return nil
}
