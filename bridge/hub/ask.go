package hub

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// An ask is a request of the agent. The hub's mutex guards it.
type ask struct {
	up      *upstream
	id      []byte // the agent's
	method  string
	params  []byte
	session *session          // nil where it belongs to a request of one front end
	asked   map[*front]string // who was asked, with the id that it knows
	choice  *choice           // what those are asked who cannot show the form
	sent    map[*front]bool   // those to whom the request was written
	done    bool

	name     string // that it is kept by; "" if it is not
	deciding bool   // an answer is being kept
}

// asked takes a request of the agent. The lock is held.
func (u *upstream) asked(m protocol.Message) {
	k := &ask{
		up: u, id: bytes.Clone(m.ID), method: m.Method, params: bytes.Clone(m.Params),
		asked: make(map[*front]string), sent: make(map[*front]bool),
	}
	if m.Method != methodPermission && m.Method != methodElicit && !strings.HasPrefix(m.Method, "_") {
		k.fail(protocol.CodeMethodNotFound, "%s is not supported here", m.Method)
		return
	}
	id := rawmsg.MemberText(m.Params, "sessionId")
	if s := u.hub.sessions[id]; s != nil && s.comesFrom(u) {
		k.session = s
	}
	if k.method == methodElicit {
		k.choice = choiceOf(k.params, string(bytes.Trim(k.id, `"`)))
	}
	switch {
	case k.session != nil:
		k.session.asks = append(k.session.asks, k)
		for _, a := range k.session.attached {
			k.put(a.front, a)
		}
		// Who only watches does not keep the question from those who come later.
		acts := slices.ContainsFunc(k.session.attached, func(a *attachment) bool { return !a.observer })
		if len(k.asked) == 0 && acts {
			k.fail(protocol.CodeMethodNotFound, "no front end can show %s", m.Method)
		}
		k.keep()
	case id != "":
		k.fail(protocol.CodeInvalidParams, "the session %s is not open", id)
	default:
		request, _, _ := rawmsg.Member(m.Params, "requestId")
		if c := u.pending[string(request)]; c != nil && c.from != nil && !c.from.left {
			k.put(c.from, nil)
			return
		}
		k.fail(protocol.CodeMethodNotFound, "nobody is there to answer %s", m.Method)
	}
}

// put asks a front end, if it can answer.
func (k *ask) put(f *front, a *attachment) {
	method, params := k.method, k.params
	switch {
	case a != nil && a.observer:
		return
	case f.shows.ask(k.method, k.params):
	case k.choice != nil:
		method, params = methodPermission, k.choice.params
	default:
		return
	}
	f.hub.lastAsk++
	id := strconv.FormatInt(f.hub.lastAsk, 10)
	f.asks[id], k.asked[f] = k, id
	m := message{line: rawmsg.Request([]byte(id), method, params)}
	if a != nil {
		m.session, m.after = a, k.session.history.last
	}
	m.gone = func() bool {
		if k.asked[f] != id {
			return true
		}
		k.sent[f] = true
		return false
	}
	f.put(m)
}

// askAgain asks a front end what nobody has answered yet.
func (s *session) askAgain(a *attachment) {
	for _, k := range s.asks {
		if _, asked := k.asked[a.front]; !asked && !k.deciding {
			k.put(a.front, a)
		}
	}
}

// answered takes an answer of the front end. The lock is held.
func (f *front) answered(id string, result, failure []byte) {
	k := f.asks[id]
	if k == nil {
		f.hub.log.Debug("dropped an answer that came too late", "client", f.id, "id", id)
		return
	}
	delete(f.asks, id)
	delete(k.asked, f)
	if failure != nil && len(k.asked) > 0 {
		return // the others may know what to say
	}
	if failure != nil {
		k.settle(rawmsg.Error, failure)
		return
	}
	if k.choice != nil && !f.shows.ask(k.method, k.params) {
		result = k.choice.answer(result)
	}
	if k.name != "" {
		k.decide(f, result)
		return
	}
	k.tellResolved(f, result) // before the others are told that they need not answer
	k.settle(rawmsg.Result, k.outcome(f, result))
	k.remember(result)
}

// outcome is what the agent is told of an answer.
func (k *ask) outcome(f *front, result []byte) []byte {
	if k.method == methodPermission {
		return f.signed(result)
	}
	return result
}

// signed is an answer with who has given it. What the front end says of that
// itself is dropped, however it writes the name, and however often.
func (f *front) signed(result []byte) []byte {
	if f.isPeer || f.signs {
		return result // another server of ours has signed it, or a host in this one
	}
	var members, meta map[string]json.RawMessage
	if exactjson.Unmarshal(result, &members) != nil || members == nil {
		return result
	}
	if exactjson.Unmarshal(members["_meta"], &meta) != nil || meta == nil {
		meta = make(map[string]json.RawMessage)
	}
	who := f.from
	who.Name, who.Client = f.name, f.id
	meta[consent.AnsweredBy] = rawmsg.Encode(who)
	members["_meta"] = rawmsg.Encode(meta)
	return rawmsg.Encode(members)
}

// tellResolved tells the other front ends who has answered, and what.
func (k *ask) tellResolved(f *front, result []byte) {
	a := f.attached[k.sessionID()]
	if k.method != methodPermission || a == nil {
		return
	}
	call, _, _ := rawmsg.Member(k.params, "toolCall")
	about := map[string]any{"resolvedBy": a.client()}
	if len(call) > 0 && call[0] == '{' {
		about["toolCallId"] = rawmsg.MemberText(call, "toolCallId")
	}
	outcome := object(result, "outcome")
	about["outcome"] = rawmsg.MemberText(outcome, "outcome")
	if option := rawmsg.MemberText(outcome, "optionId"); option != "" {
		about["optionId"] = option
	}
	k.session.tell("permission_resolved", about)
}

func (k *ask) sessionID() string {
	if k.session == nil {
		return ""
	}
	return k.session.id
}

// settle answers the agent, and withdraws the request from all others.
func (k *ask) settle(outcome string, value []byte) {
	if k.done {
		return
	}
	k.up.send(rawmsg.Response(k.id, outcome, value))
	k.withdraw()
}

func (k *ask) fail(code int64, format string, args ...any) {
	k.settle(rawmsg.Error, rawmsg.Encode(protocol.Wire(protocol.Errorf(code, format, args...))))
}

// withdraw takes the request back from everybody.
func (k *ask) withdraw() {
	k.done = true
	if s := k.session; s != nil {
		s.asks = slices.DeleteFunc(s.asks, func(o *ask) bool { return o == k })
	}
	for f, id := range k.asked {
		k.forget(f, id)
	}
}

// forget takes the request back from a front end.
func (k *ask) forget(f *front, id string) {
	delete(f.asks, id)
	delete(k.asked, f)
	if k.sent[f] {
		m := message{line: rawmsg.Request(nil, methodCancelCall, []byte(`{"requestId":`+id+`}`))}
		if a := f.attached[k.sessionID()]; a != nil { // what was said before comes before
			m.session, m.after = a, a.session.history.last
		}
		f.put(m)
	}
	delete(k.sent, f)
}

// withdraws takes back a request that the agent does not want to be answered
// any more. Its answer is that it was cancelled. The lock is held.
func (u *upstream) withdraws(id []byte) {
	for _, s := range u.hub.sessions {
		for _, k := range s.asks {
			if k.up == u && bytes.Equal(k.id, id) {
				k.fail(protocol.CodeRequestCancelled, "the request was withdrawn")
				return
			}
		}
	}
}
