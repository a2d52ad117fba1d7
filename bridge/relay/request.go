package relay

import (
	"encoding/json"
	"iter"
	"slices"

	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// A request is one of the editor's that is not answered.
type request struct {
	id      []byte
	method  string
	params  []byte
	session *session // nil where it names none that is known

	order  int       // in which they came
	up     *upstream // it was given to
	number int64     // the id that the agent knows
	sent   bool      // to up
	opens  bool      // session is known by this request alone
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
		r.send(rawmsg.Response(q.id, rawmsg.Result, result))
	}
}

// refuse answers q with an error that is JSON, unless it is answered. The lock
// is held.
func (r *relay) refuse(q *request, failure []byte) {
	if r.settle(q) {
		q.noteAnswer(rawmsg.Error, failure)
		r.send(rawmsg.Response(q.id, rawmsg.Error, failure))
	}
}

// fail answers q with an error of ours, unless it is answered. The lock is held.
func (r *relay) fail(q *request, err error) {
	wire := protocol.Wire(err)
	r.log.Info("a request failed", "method", q.method, "code", wire.Code)
	r.log.Debug("the cause of that failure", "method", q.method, "error", err)
	raw, err := json.Marshal(wire)
	if err != nil {
		r.log.Error("an error cannot be encoded", "error", err)
		return
	}
	r.refuse(q, raw)
}

// inOrder are requests in the order in which they came.
func inOrder(requests iter.Seq[*request]) []*request {
	return slices.SortedFunc(requests, func(a, b *request) int { return a.order - b.order })
}

// settle takes q from those that wait, and reports whether it was one of them.
func (r *relay) settle(q *request) bool {
	if r.requests[string(q.id)] != q {
		return false
	}
	delete(r.requests, string(q.id))
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
