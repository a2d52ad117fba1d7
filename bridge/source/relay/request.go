package relay

import (
	"iter"
	"slices"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol/rawmsg"
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

var cancelledPrompt = []byte(`{"stopReason":"cancelled"}`)

// reply answers q with a result, unless it is answered. The lock is held.
func (r *relay) reply(q *request, result []byte) {
	if r.settle(q) {
		q.noteAnswer(rawmsg.Result, result)
		q.call.ReplyJSON(result)
	}
}

// fail answers q with an error, unless it is answered. The lock is held.
func (r *relay) fail(q *request, err error) {
	if r.settle(q) {
		q.noteAnswer(rawmsg.Error, core.Wire(err))
		q.call.Fail(err)
	}
}

// inOrder are requests in the order in which they came.
func inOrder(requests iter.Seq[*request]) []*request {
	return slices.SortedFunc(requests, func(a, b *request) int { return a.order - b.order })
}

// settle takes q from those that wait, and reports whether it was one of them.
func (r *relay) settle(q *request) bool {
	if !r.requests[q] {
		return false
	}
	delete(r.requests, q)
	if s := q.session; s != nil {
		s.prompts = without(s.prompts, q)
		s.queue = without(s.queue, q)
	}
	return true
}

// without is list without q.
func without(list []*request, q *request) []*request {
	for i, other := range list {
		if other == q {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}
