package events

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxAsks bounds the open requests to an editor. Beyond it, the session stops receiving
// the agent's events, and with them further requests.
const maxAsks = 128

// maxLate bounds the withdrawn or refused requests whose answers the session awaits because it
// must know their effects. A user may take hours to answer, so time is no bound.
const maxLate = 2 * maxAsks

// A pendingRequest is a pending request from the agent to the user or the editor. It
// gets exactly one answer.
type pendingRequest struct {
	kind      askKind
	send      func() // sends the request to the editor
	withdraw  func() // withdraws it from the editor
	inMessage bool   // asked in a message, so the next prompt is the answer
	frees     bool   // stops or frees something, so it is sent even after a cancel, and never withdrawn
	late      func() // called if the editor performs it although it was withdrawn or refused; may be nil
}

// An askKind is a confirmation, a question or an editorRequest.
type askKind interface {
	// refuse tells the agent that it gets no answer. reason is "" after a cancel.
	refuse(reason string)
	// ambiguous reports whether an agent could mistake the answer to one for the answer
	// to the other.
	ambiguous(other askKind) bool
	// settledBy reports whether a step shows that the agent no longer waits.
	settledBy(step normalize.Step) bool
	// settled is called after such a step.
	settled(step normalize.Step)
}

// turnCancelled is the default reason for a request without an answer.
const turnCancelled = "the turn was cancelled or has ended"

// pendingRequests are a session's pending requests. They belong to the session's goroutine.
type pendingRequests struct {
	peers    *peers
	loop     *loop
	queue    *queue
	turn     *turn
	open     []*pendingRequest // sent to the editor
	pending  *pendingRequest   // asked in a message, so the next prompt is the answer
	deferred []*pendingRequest // not sent yet
	late     []*core.Request   // withdrawn or refused ones whose answers must be handled
	settled  chan struct{}

	confirmations  *confirmations
	questions      *questions
	editorRequests *editorRequests
}

func newAsks(s *session, normalizer *normalize.Normalizer, rules rules, parts *parts) *pendingRequests {
	as := &pendingRequests{peers: s.peers, loop: s.loop, queue: s.queue, turn: s.turn, settled: make(chan struct{})}
	as.confirmations = &confirmations{
		pending: as, peers: s.peers, queue: s.queue, turn: s.turn, out: s.out, record: s.record,
		normalizer: normalizer, rules: rules, parts: parts,
	}
	as.questions = &questions{
		pending: as, peers: s.peers, queue: s.queue, turn: s.turn, out: s.out, record: s.record,
		show: s.show, pages: make(pages),
	}
	as.editorRequests = &editorRequests{pending: as, peers: s.peers, turn: s.turn, terminals: make(map[string]bool)}
	return as
}

// handle adds the request in a step's event, and drops the requests that the event settles.
func (as *pendingRequests) handle(step normalize.Step) {
	switch e := step.Event.(type) {
	case *agent.ConfirmationRequested:
		as.confirmations.add(step, e)
	case *agent.QuestionAsked:
		as.questions.add(step, e)
	case *agent.EditorRequested:
		as.editorRequests.add(e)
	case *agent.QuestionAnswered:
		as.questions.leavePage(e.QuestionID)
		as.settle(step)
	case *agent.ToolEnd, *agent.ConfirmationResolved, *agent.SubagentEnd:
		as.settle(step)
	}
}

// add sends a request to the editor, now or later. If refusal is set or the request
// cannot be sent, it refuses the request.
func (as *pendingRequests) add(a *pendingRequest, refusal string) {
	if refusal == "" && !as.turn.running {
		refusal = "no turn is running"
	}
	if refusal == "" {
		if other := as.ambiguous(a); other != nil {
			refusal = "two open requests could claim the same answer: give each its own ID"
			as.remove(other)
			if other.withdraw != nil {
				other.withdraw()
			}
			as.refuse(other, refusal)
		}
	}
	switch {
	case refusal != "":
		as.refuse(a, refusal)
	case as.queue.isCancelled() && !a.frees:
		as.refuse(a, "")
	case as.pending != nil && !a.frees:
		as.deferred = append(as.deferred, a) // the next prompt answers the pending question
	default:
		a.send()
	}
}

// refuse tells the agent that it gets no decision. reason says why the user was not
// asked, or is "".
func (as *pendingRequests) refuse(a *pendingRequest, reason string) {
	if reason != "" {
		as.turn.logger().Warn("rejected a request from the agent", "reason", reason)
	}
	a.kind.refuse(reason)
}

// ambiguous returns a pending request that could claim the answer to a.
func (as *pendingRequests) ambiguous(a *pendingRequest) *pendingRequest {
	for _, other := range as.waiting() {
		if a.kind.ambiguous(other.kind) {
			return other
		}
	}
	return nil
}

// waiting returns all pending requests.
func (as *pendingRequests) waiting() []*pendingRequest {
	all := slices.Clone(as.open)
	if as.pending != nil {
		all = append(all, as.pending)
	}
	return append(all, as.deferred...)
}

// editor sends a request to the editor. When the answer arrives, the session's
// goroutine decodes it into result and calls answered, unless the request was settled
// before.
func (as *pendingRequests) editor(a *pendingRequest, method string, params any, result any, answered func(err error)) {
	asked := &core.Request{Session: as.peers.id, Method: method, Params: v1.AppendValue(nil, params)}
	as.request(a, asked, result, func(_ core.Answer, err error) { answered(err) })
}

// permission is like editor, for a permission request.
func (as *pendingRequests) permission(a *pendingRequest, req v1.RequestPermissionRequest, answered func(answer core.Answer, err error)) {
	asked := &core.Request{Session: as.peers.id, Method: v1.MethodRequestPermission, Params: v1.AppendValue(nil, req), Offered: offered(req.Options)}
	as.request(a, asked, nil, answered)
}

func (as *pendingRequests) request(a *pendingRequest, asked *core.Request, result any, answered func(answer core.Answer, err error)) {
	view := as.peers.view
	asked.Answered = func(answer core.Answer) {
		if !as.loop.add(func() {
			as.late = slices.DeleteFunc(as.late, func(r *core.Request) bool { return r == asked })
			err := answer.Decode(result)
			switch {
			case as.remove(a):
				answered(answer, err)
				as.sendDeferred()
			case err == nil && a.late != nil:
				a.late()
			}
		}) && a.late != nil && answer.Decode(result) == nil {
			a.late() // nothing else uses the session any more
		}
	}
	if err := view.Request(asked); err != nil {
		answered(core.Answer{}, err)
		return
	}
	a.withdraw = func() {
		if !a.frees {
			view.Withdraw(asked)
		}
		if a.late == nil {
			view.Forget(asked)
			return
		}
		if as.late = append(as.late, asked); len(as.late) > maxLate {
			view.Forget(as.late[0])
			as.late = slices.Delete(as.late, 0, 1)
		}
	}
	as.open = append(as.open, a)
	as.turn.say()
}

// message asks in a message, which show shows; the next prompt is the answer. It waits
// while another request is open, because a question in a message ends the running
// prompt.
func (as *pendingRequests) message(a *pendingRequest, turnID string, show func()) {
	if len(as.open) > 0 {
		as.deferred = slices.Insert(as.deferred, 0, a)
		return
	}
	show()
	as.pending = a
	as.queue.expectAnswer(turnID)
}

// takePending returns the question that the next prompt answers, or nil. The caller
// takes it over.
func (as *pendingRequests) takePending() *question {
	if as.pending == nil {
		return nil
	}
	q := as.pending.kind.(*question)
	as.dropPending()
	return q
}

// isPending reports whether the next prompt answers a question.
func (as *pendingRequests) isPending() bool { return as.pending != nil }

func (as *pendingRequests) dropPending() {
	as.pending = nil
	as.queue.expectAnswer("")
}

// areFull reports whether the agent's next events must wait. They wait if there are too
// many requests, or after a question in a message, because they belong to the prompt that
// answers it.
func (as *pendingRequests) areFull() bool { return as.pending != nil || len(as.open) >= maxAsks }

// remove removes a pending request, and reports whether it was pending.
func (as *pendingRequests) remove(a *pendingRequest) bool {
	if i := slices.Index(as.open, a); i >= 0 {
		as.open = slices.Delete(as.open, i, i+1)
		return true
	}
	if i := slices.Index(as.deferred, a); i >= 0 {
		as.deferred = slices.Delete(as.deferred, i, i+1)
		return true
	}
	if as.pending == a {
		as.dropPending()
		return true
	}
	return false
}

// sendDeferred sends deferred requests. A question in a message ends the prompt, so it
// waits until no other request is open, and all others wait for its answer.
func (as *pendingRequests) sendDeferred() {
	for as.turn.running && as.pending == nil && len(as.deferred) > 0 && !as.queue.isCancelled() {
		a := as.deferred[0]
		if a.inMessage && len(as.open) > 0 {
			return
		}
		as.deferred = slices.Delete(as.deferred, 0, 1)
		a.send()
	}
}

// refuseAll withdraws all open requests and refuses all pending requests.
func (as *pendingRequests) refuseAll() {
	all := as.waiting()
	as.open, as.deferred = nil, nil
	as.dropPending()
	for _, a := range all {
		if a.withdraw != nil {
			a.withdraw()
		}
		as.refuse(a, "")
	}
}

// settle withdraws the requests that the agent no longer waits for. It refuses those about
// a call that was closed on the agent's behalf.
func (as *pendingRequests) settle(step normalize.Step) {
	for _, a := range as.waiting() {
		if !a.kind.settledBy(step) || !as.remove(a) {
			continue
		}
		if a.withdraw != nil {
			a.withdraw()
		}
		if step.Closed {
			as.refuse(a, "the call ended before a decision")
		}
		a.kind.settled(step)
	}
	as.sendDeferred()
}

// close refuses all requests at the session's end. If the editor stays, it is asked to
// release the terminals that the agent left open.
func (as *pendingRequests) close(editorStays bool) {
	as.refuseAll()
	as.loop.runTasks() // the editor may have performed a request meanwhile
	if editorStays {
		as.editorRequests.releaseTerminals()
	}
	as.loop.endTasks()
	close(as.settled)
}
