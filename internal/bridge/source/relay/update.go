package relay

import (
	"bytes"
	"sync/atomic"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A frame holds the bytes around the update in the last line. Most lines have the same,
// and need not be parsed again.
type frame struct {
	head, tail []byte
	session    *session
}

func (f *frame) learn(line []byte, from, to int, s *session) {
	f.head = append(f.head[:0], line[:from]...)
	f.tail = append(f.tail[:0], line[to:]...)
	f.session = s
}

func (f *frame) matches(line []byte) bool {
	return f.session != nil && len(line) > len(f.head)+len(f.tail) &&
		bytes.HasPrefix(line, f.head) && bytes.HasSuffix(line, f.tail)
}

// updates passes on a process's updates. Only one goroutine uses it.
type updates struct {
	up    *upstream
	named bool // the lines were held until their session got its name
	frame frame
	room  [24]pair // space for the members of an update
}

// line handles a line that is an update. It returns false for other lines.
func (u *updates) line(line []byte) bool {
	if u.frame.matches(line) {
		return u.update(line, u.frame.session, len(u.frame.head), len(line)-len(u.frame.tail))
	}
	remote, from, to, clear := findUpdate(line)
	if to == 0 {
		return false
	}
	if !u.named && u.up.early.holdUnnamed(remote, line) {
		return true
	}
	u.up.relay.mu.Lock()
	s, own := u.up.names.owner(remote)
	if s != nil && !own {
		u.up.names.adopt(s, rawmsg.MemberText(line[from:to], "sessionUpdate"), line[from:to])
		if u.up.relay.learns() {
			scanned := scan(line[from:to], nil)
			s.calls.learn(remote, &scanned)
		}
		past := s.memory.replay
		u.up.relay.mu.Unlock()
		if !past {
			u.up.relay.relay(unowned(remote, line, from, to))
		}
		return true
	}
	if s == nil || s.forgotten {
		queued := !u.named && u.up.relay.client.mends() && u.up.early.hold(remote, line)
		u.up.relay.mu.Unlock()
		if !queued && s == nil {
			u.up.relay.relay(unowned(remote, line, from, to)) // of a session that only the agent knows
		}
		return true
	}
	u.up.relay.mu.Unlock()
	if clear {
		u.frame.learn(line, from, to, s)
	} else {
		u.frame.session = nil
	}
	return u.update(line, s, from, to)
}

// findUpdate returns the session id and the position of the update in a line. to is 0
// if the line is not an update. clear reports whether other lines with the same head
// and tail are updates of the same session.
func findUpdate(line []byte) (remote string, from, to int, clear bool) {
	var method, params []byte
	base, members := 0, 0
	lone := false
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		members++
		lone = lone || o.Lone()
		switch {
		case rawmsg.Is(key, "id"):
			return "", 0, 0, false
		case rawmsg.Is(key, "method"):
			method = value
		case rawmsg.Is(key, "params"):
			params = value
			base, _ = o.Span()
		}
	}
	if o.Err() != nil || params == nil || rawmsg.Text(method) != v1.MethodSessionUpdate {
		return "", 0, 0, false
	}
	id, _, _ := rawmsg.Member(params, "sessionId")
	body, from, to := rawmsg.Member(params, "update")
	if len(body) == 0 || body[0] != '{' || len(id) == 0 || id[0] != '"' {
		return "", 0, 0, false
	}
	return rawmsg.Text(id), base + from, base + to, !lone && members == 3
}

// update passes on the update line[from:to]. It returns false if that is not JSON.
func (u *updates) update(line []byte, s *session, from, to int) bool {
	if s.quirks != nil {
		return u.repaired(line, s, from, to)
	}
	return u.pass(line, s, from, to)
}

// pass passes on an update, with the repairs that apply to every agent.
func (u *updates) pass(line []byte, s *session, from, to int) bool {
	scanned := scan(line[from:to], u.room[:])
	if !scanned.wellMade {
		return false
	}
	u.up.relay.view.AwaitRoom() // a recorded update must not wait, because a cancel would drop it
	u.up.relay.mu.Lock()
	if s.forgotten { // another session may have its id
		u.up.relay.mu.Unlock()
		u.frame.session = nil
		return u.line(line)
	}
	u.up.names.adopt(s, string(scanned.kind), line[from:to])
	n := s.notification(line, from, to, &scanned)
	body, gate, ok := u.judge(s, &scanned, &n)
	if u.up.relay.learns() {
		s.calls.learn(s.remote, &scanned)
	}
	if ok {
		passed := body
		if passed == nil {
			passed = line[from:to]
		}
		n.Echo = s.turn.echoed(string(scanned.kind), passed)
		switch {
		case string(scanned.kind) == kindCursor: // it isn't history, because it may not be valid later
			s.cursors.note(passed)
		case n.Echo == nil: // the record has the prompt itself
			s.noteUpdate(passed, string(scanned.kind) == kindInfo)
		}
	}
	var cursor []byte
	switch {
	case !u.up.handshake.able.announcesForks(&u.up.relay.client):
	case ok || s.memory.replay: // what the agent replays was shown before
		cursor = s.cursors.passed(&scanned, s.loading > 0)
	default:
		s.cursors.dropped(&scanned)
	}
	recorder := s.record.to
	u.up.relay.mu.Unlock()
	if recorder != nil {
		recorder.AwaitRoom()
	}
	if !ok {
		return true
	}
	if cursor != nil {
		defer u.up.relay.view.Send(updateNotification(s.id, cursor))
	}
	if body != nil {
		body = clean(body)
		n.Line, n.To = spliced(n.Line, n.From, n.To, body), n.From+len(body)
	}
	n.Gate = gate
	u.up.relay.relay(n)
	return true
}

// notification returns the notification with the update line[from:to] for the client.
// The caller holds the lock.
func (s *session) notification(line []byte, from, to int, u *update) core.Notification {
	if s.id != s.remote {
		params, _, _ := rawmsg.Member(line, "params")
		line = rawmsg.Replace(line, "params", rawmsg.Replace(params, "sessionId", rawmsg.Quote(s.id)))
		_, from, to, _ = findUpdate(line)
	}
	if u.lone {
		line = clean(line)
		_, from, to, _ = findUpdate(line)
	}
	return core.Notification{Line: line, Session: s.id, From: from, To: to}
}

// judge decides what happens to an update, for which n is the client's notification. If
// ok is false, the update does not pass now. If body is not nil, it replaces the
// update. If gate is set by the time the update can be sent, it is dropped. The caller
// holds the lock.
func (u *updates) judge(s *session, scanned *update, n *core.Notification) (body []byte, gate *atomic.Bool, ok bool) {
	r := u.up.relay
	switch {
	case s.memory.replay:
		return nil, nil, false
	case !r.client.mends() || scanned.shape == nil:
		return nil, nil, true
	case scanned.missing != "":
		r.repairs.note(repairIncomplete, "update", scanned.shape.kind, "member", scanned.missing)
		return nil, nil, false
	case scanned.shape.turn && s.turn.stale > 0:
		r.repairs.note(repairLate, "update", scanned.shape.kind)
		return nil, nil, false
	}
	kind := scanned.shape.kind
	if kind == kindUser && !s.isActive() { // some agents repeat the history after they loaded it
		s.turn.trails = false
	}
	if scanned.shape.turn {
		gate = &s.turn.gate
		if !u.up.handshake.able.shared && !s.isActive() && s.turn.trails && s.calls.isLate(scanned, kind) {
			r.repairs.note(repairLate, "update", kind)
			if string(scanned.call) == "" {
				s.late.hold(n)
			}
			return nil, nil, false
		}
	}
	mend := scanned.wrong != 0
	if mend {
		r.repairs.note(repairType, "update", kind)
	}
	switch kind {
	case kindCall, kindCallUpdate:
		before := s.calls.note(scanned)
		switch {
		case kind == kindCallUpdate && before == 0:
			r.repairs.note(repairUnannounced)
			kind, mend = kindCall, true
		case kind == kindCall && !scanned.title:
			r.repairs.note(repairTitle)
			mend = true
		}
	case kindMessage, kindThought:
		if s.isActive() { // otherwise its next chunk would be late
			s.calls.noteMessage(scanned)
		}
	}
	if mend {
		body = scanned.repaired(kind)
	}
	return body, gate, true
}

// unowned returns the notification for an update of a session that no request opened.
func unowned(id string, line []byte, from, to int) core.Notification {
	n := core.Notification{Line: clean(line), Session: id, From: from, To: to}
	if len(n.Line) != len(line) {
		_, n.From, n.To, _ = findUpdate(n.Line)
	}
	return n
}

// spliced returns line with the bytes [from:to] replaced by body.
func spliced(line []byte, from, to int, body []byte) []byte {
	out := make([]byte, 0, len(line)+len(body)-(to-from))
	out = append(append(out, line[:from]...), body...)
	return append(out, line[to:]...)
}

// clean returns line with unpaired surrogates replaced, because strict readers refuse
// them.
func clean(line []byte) []byte { return rawjson.CleanValue(line) }
