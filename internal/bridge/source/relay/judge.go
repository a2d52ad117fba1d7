package relay

import (
	"bytes"
	"cmp"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Reasons for closing a request without a decision.
const (
	turnCancelled = "the turn was cancelled or has ended"
	notWaiting    = "the agent no longer waits for the decision"
	noAnswer      = "the client failed to answer"
)

// describe determines the call that a permission request is about. The caller holds the
// lock.
func (a *pendingRequest) describe(params []byte) {
	r := a.up.relay
	tool, _, _ := rawmsg.Member(params, "toolCall")
	tool = objectOf(tool)
	remote := rawmsg.MemberText(params, "sessionId")
	id := rawmsg.MemberText(tool, "toolCallId")
	a.call = consent.Call{Agent: r.cfg.Key, Session: remote, ID: id}
	a.shown = remote
	a.tool = bytes.Clone(tool)
	var known callDetails
	if s := a.session; s != nil {
		a.call.Session, a.call.Dir = s.id, s.cwd
		if remote == s.remote {
			a.shown = s.id
		}
		if f := s.calls.detailsOf(remote, id); f != nil {
			known = *f
			a.announced = true
		}
	}
	o := rawjson.Walk(tool)
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		known.record(key, value)
	}
	known.describe(&a.call)
}

// rule lets the judge decide a permission request, and answers it. It returns false if
// the user must be asked. The caller must not hold the lock.
func (a *pendingRequest) rule() bool {
	r := a.up.relay
	ruling := consent.Rule(r.cfg.Judge, a.call)
	if a.session == nil && ruling.Verdict == consent.Allow {
		return false // the folder that this would apply to is unknown
	}
	chosen, decided := ruling.Choose(a.Offered)
	if !decided {
		return false
	}
	result := notPermitted
	if chosen.ID != "" {
		result = rawmsg.Encode(map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": chosen.ID}})
	}
	made := consent.Of(a.call, time.Now()).Ruled(ruling, chosen)
	a.tell(made)
	r.mu.Lock()
	defer r.mu.Unlock()
	a.record(rawmsg.Result, result)
	a.note(made)
	a.up.rpc.Permit(a.id, result, notPermitted, a.cancelled)
	return true
}

// tell tells the editor which rule decided. It sends an update of the call. If the call
// was not announced, it sends the call itself, as the request would have shown it. The
// caller must not hold the lock.
func (a *pendingRequest) tell(made consent.Decision) {
	r, s := a.up.relay, a.session
	if s == nil || a.call.ID == "" {
		return
	}
	kind, tool := kindCallUpdate, []byte(`{"toolCallId":`+string(rawmsg.Quote(a.call.ID))+"}")
	if !a.announced {
		kind, tool = kindCall, rawmsg.Without(rawmsg.Without(a.tool, "sessionUpdate"), "_meta")
		if rawmsg.MemberText(tool, "title") == "" {
			tool = rawmsg.Replace(tool, "title", rawmsg.Quote(cmp.Or(a.call.Tool, a.call.ID)))
		}
	}
	meta := withMember([]byte("{}"), consent.DecidedBy, made.Line())
	body := append([]byte(`{"sessionUpdate":"`+kind+`",`), withMember(tool, "_meta", meta)[1:]...)
	if a.shown == s.id {
		scanned := scan(body, nil)
		r.mu.Lock()
		s.calls.note(&scanned)
		s.noteUpdate(body, false)
		r.mu.Unlock()
	}
	r.relay(updateNotification(a.shown, body))
}

// note records the outcome of a permission request. If a cancel came first, nothing was
// permitted. The caller holds the lock.
func (a *pendingRequest) note(d consent.Decision) {
	select {
	case <-a.cancelled:
		d = a.open(turnCancelled)
	default:
	}
	a.decided(d)
}

// decided is like note, for an outcome that a cancel no longer changes. The caller holds the
// lock.
func (a *pendingRequest) decided(d consent.Decision) {
	if a.method != v1.MethodRequestPermission || a.noted {
		return
	}
	a.noted = true
	if audit := a.up.relay.cfg.Audit; audit != nil {
		audit(d)
	}
	if s := a.session; s != nil && s.record.to != nil {
		s.record.to.AddData(d.Time, journal.TypeDecision, d.Line())
	}
}

// open returns the decision for an unanswered request.
func (a *pendingRequest) open(reason string) consent.Decision {
	return consent.Of(a.call, time.Now()).Open(reason)
}
