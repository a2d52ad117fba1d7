package hub

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// An ask is a request from the agent. The hub's mutex guards it.
type ask struct {
	up      *upstream
	of      *core.Ask
	method  string
	params  []byte
	session *session             // nil if it belongs to one client's call
	asked   map[*front]*core.Ask // the clients that were asked, and their requests
	choice  *choice              // what clients that can't show the form are asked; may be nil
	sent    map[*front]bool      // the clients that were shown the request
	done    bool

	name     string // the name under which Questions saves it; "" if it is not saved
	deciding bool   // an answer is being saved
}

// asked handles a request from the agent. The caller holds the lock.
func (u *upstream) asked(a *core.Ask) {
	k := &ask{
		up: u, of: a, method: a.Method, params: a.Params,
		asked: make(map[*front]*core.Ask), sent: make(map[*front]bool),
	}
	if k.method != v1.MethodRequestPermission && k.method != v1.MethodElicitationCreate && !strings.HasPrefix(k.method, "_") {
		k.fail(protocol.CodeMethodNotFound, "%s is not supported here", k.method)
		return
	}
	id := a.Session
	if s := u.hub.sessions[id]; s != nil && s.comesFrom(u) {
		k.session = s
	}
	if k.method == v1.MethodElicitationCreate {
		u.hub.lastForm++
		k.choice = choiceOf(k.params, strconv.FormatInt(u.hub.lastForm, 10))
	}
	switch {
	case k.session != nil:
		k.session.asks = append(k.session.asks, k)
		for _, a := range k.session.attached {
			k.put(a.front, a)
		}
		// An observer alone does not make the request fail: other clients may attach
		// later.
		acts := slices.ContainsFunc(k.session.attached, func(a *attachment) bool { return !a.observer })
		if len(k.asked) == 0 && acts {
			k.fail(protocol.CodeMethodNotFound, "no front end can show %s", k.method)
		}
		k.keep()
	case id != "":
		k.fail(protocol.CodeInvalidParams, "the session %s is not open", id)
	default:
		if c := u.pending[a.About]; c != nil && c.from != nil && !c.from.left {
			k.put(c.from, nil)
			return
		}
		k.fail(protocol.CodeMethodNotFound, "nobody is there to answer %s", k.method)
	}
}

// put asks a client, if it can answer.
func (k *ask) put(f *front, a *attachment) {
	method, params := k.method, k.params
	switch {
	case a != nil && a.observer:
		return
	case f.shows.ask(k.method, k.params):
	case k.choice != nil:
		method, params = v1.MethodRequestPermission, k.choice.params
	default:
		return
	}
	of := &core.Ask{Session: k.sessionID(), Method: method, Params: params, About: f.callFor(k.of.About), Offered: k.of.Offered}
	if k.choice != nil {
		of.Offered = k.choice.offered
	}
	of.Answered = func(answer core.Answer) {
		f.hub.mu.Lock()
		defer f.hub.mu.Unlock()
		f.answered(of, answer)
	}
	f.asks[of], k.asked[f] = k, of
	m := message{size: len(params), do: func(v core.View) {
		if err := v.Ask(of); err != nil {
			f.hub.log.Debug("a front end could not be asked", "client", f.id, "error", err)
		}
	}}
	if a != nil {
		m.session, m.after = a, k.session.history.last
	}
	m.gone = func() bool {
		if k.asked[f] != of {
			return true
		}
		k.sent[f] = true
		return false
	}
	f.put(m)
}

// askAgain sends the unanswered requests to a client that attached.
func (s *session) askAgain(a *attachment) {
	for _, k := range s.asks {
		if _, asked := k.asked[a.front]; !asked && !k.deciding {
			k.put(a.front, a)
		}
	}
}

// answered handles a client's answer. The caller holds the lock.
func (f *front) answered(of *core.Ask, answer core.Answer) {
	k := f.asks[of]
	if k == nil || f.left || f.hungUp {
		f.hub.log.Debug("dropped an answer that came too late", "client", f.id)
		return
	}
	delete(f.asks, of)
	delete(k.asked, f)
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
	answer.Result, answer.By = f.author(answer.Result, answer.By)
	if k.name != "" {
		k.decide(f, answer)
		return
	}
	k.tellResolved(f, answer) // before the others learn that they need not answer
	k.settle(answer)
	k.remember(answer)
}

// author returns the answer without the client's own claim about its author, and the
// author. Such a claim is trusted only from another server of ours, or from a host in
// this process.
func (f *front) author(result []byte, said *consent.FrontEnd) (bare []byte, by *consent.FrontEnd) {
	bare, signer := unsigned(result)
	switch {
	case f.Peer:
		return bare, signer
	case f.Host:
		return bare, said
	}
	who := f.From
	who.Name, who.Client = f.name, f.id
	return bare, &who
}

// tellResolved tells the other clients who answered, and what.
func (k *ask) tellResolved(f *front, answer core.Answer) {
	a := f.attached[k.sessionID()]
	if k.method != v1.MethodRequestPermission || a == nil {
		return
	}
	call, _, _ := rawmsg.Member(k.params, "toolCall")
	about, news := map[string]any{"resolvedBy": a.client()}, &core.News{Kind: core.Resolved, By: f.id}
	if len(call) > 0 && call[0] == '{' {
		news.ToolCall = rawmsg.MemberText(call, "toolCallId")
		about["toolCallId"] = news.ToolCall
	}
	about["outcome"] = v1.OutcomeCancelled
	if id := answer.Chosen.ID; id != "" {
		about["outcome"], about["optionId"], news.Option = v1.OutcomeSelected, id, id
	}
	k.session.tell(news, about)
}

func (k *ask) sessionID() string {
	if k.session == nil {
		return ""
	}
	return k.session.id
}

// settle answers the agent, and withdraws the request from all clients.
func (k *ask) settle(answer core.Answer) {
	if k.done {
		return
	}
	if k.of.Answered != nil {
		k.up.post(func(core.Source) { k.of.Answered(answer) })
	}
	k.withdraw()
}

func (k *ask) fail(code int64, format string, args ...any) {
	k.settle(core.Answer{Failure: rawmsg.Encode(protocol.Wire(protocol.Errorf(code, format, args...)))})
}

// withdraw withdraws the request from all clients, without answering the agent.
func (k *ask) withdraw() {
	k.done = true
	if s := k.session; s != nil {
		s.asks = slices.DeleteFunc(s.asks, func(o *ask) bool { return o == k })
	}
	for f, of := range k.asked {
		k.forget(f, of)
	}
}

// forget withdraws the request from one client.
func (k *ask) forget(f *front, of *core.Ask) {
	delete(f.asks, of)
	delete(k.asked, f)
	if k.sent[f] {
		m := message{do: func(v core.View) {
			v.Withdraw(of)
			v.Forget(of)
		}}
		if a := f.attached[k.sessionID()]; a != nil { // earlier changes are shown first
			m.session, m.after = a, a.session.history.last
		}
		f.put(m)
	}
	delete(k.sent, f)
}

// callFor returns the client's call that caused an upstream call, or nil.
func (f *front) callFor(upstream *core.Call) *core.Call {
	for q := range f.requests {
		if upstream != nil && q.upstream == upstream {
			return q.call
		}
	}
	return nil
}
