package hub

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// A pendingRequest is a request from the agent. The hub's mutex guards it.
type pendingRequest struct {
	up      *upstream
	of      *core.Request
	method  string
	params  []byte
	session *session                  // nil if it names none
	asked   map[*client]*core.Request // the clients that were asked, and their requests
	choice  *choice                   // what clients that can't show the form are asked; may be nil
	sent    map[*client]bool          // the clients that were shown the request
	done    bool
	number  int64 // for observers; 0 if they don't know the request
	order   int64 // its number among all requests

	name     string // the name under which Questions saves it; "" if it is not saved
	deciding bool   // an answer is being saved
}

// asked handles a request from the agent. The caller holds the lock.
func (u *upstream) asked(a *core.Request) {
	u.hub.last.ask++
	k := &pendingRequest{
		up: u, of: a, method: a.Method, params: a.Params, order: u.hub.last.ask,
		asked: make(map[*client]*core.Request), sent: make(map[*client]bool),
	}
	if k.method != v1.MethodRequestPermission && k.method != v1.MethodElicitationCreate && !strings.HasPrefix(k.method, "_") {
		k.fail(protocol.CodeMethodNotFound, "%s is not supported", k.method)
		return
	}
	id := a.Session
	if s := u.hub.sessions[id]; s != nil && s.comesFrom(u) {
		k.session = s
	}
	if k.method == v1.MethodElicitationCreate {
		u.hub.last.form++
		k.choice = choiceOf(k.params, strconv.FormatInt(u.hub.last.form, 10))
	}
	switch {
	case k.session != nil:
		k.session.pending = append(k.session.pending, k)
		for _, a := range k.session.attached {
			k.offer(a.client, a)
		}
		// An observer alone does not make the request fail: other clients may attach
		// later.
		acts := slices.ContainsFunc(k.session.attached, func(a *attachment) bool { return !a.observer })
		if len(k.asked) == 0 && acts {
			k.fail(protocol.CodeMethodNotFound, "no client can show %s", k.method)
		}
		k.keep()
		if !k.done {
			k.observeRequest(RequestOpened)
		}
	case id != "":
		k.fail(protocol.CodeInvalidParams, "the session %s is not open", id)
	default:
		k.offerAll()
	}
}

// offer asks a client, if it can answer.
func (k *pendingRequest) offer(cl *client, a *attachment) {
	method, params := k.method, k.params
	switch {
	case a != nil && a.observer:
		return
	case cl.shows.canAnswer(k.method, k.params):
	case k.choice != nil:
		method, params = v1.MethodRequestPermission, k.choice.params
	default:
		return
	}
	of := &core.Request{Session: k.sessionID(), Method: method, Params: params, About: cl.callFor(k.of.About), Offered: k.of.Offered}
	if k.choice != nil {
		of.Offered = k.choice.offered
	}
	of.Answered = func(answer core.Answer) {
		cl.hub.mu.Lock()
		defer cl.hub.mu.Unlock()
		cl.answered(of, answer)
	}
	cl.pending[of], k.asked[cl] = k, of
	m := message{size: len(params), do: func(v core.View) {
		if err := v.Request(of); err != nil {
			cl.hub.log.Debug("a client could not be asked", "client", cl.id, "error", err)
		}
	}}
	if a != nil {
		m.session, m.after = a, k.session.history.last
	}
	m.obsolete = func() bool {
		if k.asked[cl] != of {
			return true
		}
		k.sent[cl] = true
		return false
	}
	cl.enqueue(m)
}

// askAgain sends the unanswered requests to a client that attached.
func (s *session) askAgain(a *attachment) {
	for _, k := range s.pending {
		if _, asked := k.asked[a.client]; !asked && !k.deciding {
			k.offer(a.client, a)
		}
	}
}

// answered handles a client's answer. The caller holds the lock.
func (cl *client) answered(of *core.Request, answer core.Answer) {
	k := cl.pending[of]
	if k == nil || cl.left || cl.hungUp {
		cl.hub.log.Debug("dropped a late answer", "client", cl.id)
		return
	}
	delete(cl.pending, of)
	delete(k.asked, cl)
	if answer.Failure != nil && len(k.asked) > 0 {
		return // the other clients may still answer
	}
	if answer.Failure != nil {
		k.settle(core.Answer{Failure: answer.Failure})
		return
	}
	if of.Method != k.method {
		answer = core.Answer{Result: k.choice.answer(answer.Chosen.ID), By: answer.By}
	}
	answer.Result, answer.By = cl.author(answer.Result, answer.By)
	if k.name != "" {
		k.decide(cl, answer)
		return
	}
	k.tellResolved(cl, answer) // before the others learn that they need not answer
	k.settle(answer)
	k.remember(answer)
}

// author returns the answer without the client's own claim about its author, and the
// author. Such a claim is trusted only from another server of ours, or from a host in
// this process.
func (cl *client) author(result []byte, claimed *consent.Client) (bare []byte, by *consent.Client) {
	bare, signer := unsigned(result)
	switch {
	case cl.Peer:
		return bare, signer
	case cl.Host:
		return bare, claimed
	}
	who := cl.From
	who.Name, who.ID = cl.name, cl.id
	return bare, &who
}

// tellResolved tells the other clients who answered, and what.
func (k *pendingRequest) tellResolved(cl *client, answer core.Answer) {
	a := cl.attached[k.sessionID()]
	if k.method != v1.MethodRequestPermission || a == nil {
		return
	}
	call, _, _ := rawmsg.Member(k.params, "toolCall")
	by := a.info()
	by.Name = cmp.Or(answer.By.Place(), by.Name)
	about, event := map[string]any{"resolvedBy": by}, &core.ClientEvent{Kind: core.Resolved, By: cl.id}
	if len(call) > 0 && call[0] == '{' {
		event.ToolCall = rawmsg.MemberText(call, "toolCallId")
		about["toolCallId"] = event.ToolCall
	}
	about["outcome"] = v1.OutcomeCancelled
	if id := answer.Chosen.ID; id != "" {
		about["outcome"], about["optionId"], event.Option = v1.OutcomeSelected, id, id
	}
	if answer.Accepted != nil {
		about["_meta"] = map[string]any{v1.PartialMeta: true}
	}
	k.session.tell(event, about)
}

func (k *pendingRequest) sessionID() string {
	if k.session == nil {
		return ""
	}
	return k.session.id
}

// settle answers the agent, and withdraws the request from all clients.
func (k *pendingRequest) settle(answer core.Answer) {
	if k.of.Answered != nil {
		k.up.post(func(core.Source) { k.of.Answered(answer) })
	}
	k.withdraw()
}

func (k *pendingRequest) fail(code int64, format string, args ...any) {
	k.settle(core.Answer{Failure: rawmsg.Encode(protocol.Wire(protocol.Errorf(code, format, args...)))})
}

// withdraw withdraws the request from all clients, without answering the agent.
func (k *pendingRequest) withdraw() {
	k.done = true
	if s := k.session; s != nil {
		s.pending = slices.DeleteFunc(s.pending, func(o *pendingRequest) bool { return o == k })
		k.observeRequest(RequestClosed)
	} else {
		k.up.sessionless = slices.DeleteFunc(k.up.sessionless, func(o *pendingRequest) bool { return o == k })
	}
	k.forgetAll()
}

// forgetAll withdraws the request from all clients.
func (k *pendingRequest) forgetAll() {
	for _, cl := range slices.SortedFunc(maps.Keys(k.asked), func(a, b *client) int { return strings.Compare(a.id, b.id) }) {
		k.forget(cl, k.asked[cl])
	}
}

// inOrder yields the client's requests in the order in which they were made.
func (cl *client) inOrder() iter.Seq2[*core.Request, *pendingRequest] {
	requests := slices.SortedFunc(maps.Keys(cl.pending), func(a, b *core.Request) int { return cmp.Compare(cl.pending[a].order, cl.pending[b].order) })
	return func(yield func(*core.Request, *pendingRequest) bool) {
		for _, of := range requests {
			if k := cl.pending[of]; k != nil && !yield(of, k) {
				return
			}
		}
	}
}

// forget withdraws the request from one client.
func (k *pendingRequest) forget(cl *client, of *core.Request) {
	delete(cl.pending, of)
	delete(k.asked, cl)
	if k.sent[cl] {
		m := message{do: func(v core.View) {
			v.Withdraw(of)
			v.Forget(of)
		}}
		if a := cl.attached[k.sessionID()]; a != nil { // earlier changes are shown first
			m.session, m.after = a, a.session.history.last
		}
		cl.enqueue(m)
	}
	delete(k.sent, cl)
}

// callFor returns the client's call that caused an upstream call, or nil.
func (cl *client) callFor(upstream *core.Call) *core.Call {
	for q := range cl.requests {
		if upstream != nil && q.upstream == upstream {
			return q.call
		}
	}
	return nil
}
