package relay

import (
	"bytes"
	"strconv"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// An opening is a response that names a new session.
type opening struct {
	request  *request
	up       *upstream
	response jsonrpc.Message
	remote   string // the agent's id of the session
}

// opened registers the session that a response names, and returns its early updates.
// The caller holds the lock.
func (q *request) opened(m jsonrpc.Message) (early [][]byte) {
	u, r := q.up, q.up.relay
	remote := rawmsg.MemberText(m.Result, "sessionId")
	if m.Error != nil || remote == "" {
		u.early.openings--
		q.pass(m)
		u.retire()
		return nil
	}
	o := &opening{q, u, m, remote}
	if r.keepsSessions() && (q.method == v1.MethodSessionFork || u.handshake.able.reuseIDs()) {
		u.early.beginNaming(remote)
		u.needed++
		o.response.Result = bytes.Clone(m.Result)
		if q.method == v1.MethodSessionFork { // the original is deleted only afterwards
			done := r.archive.work.Post(rawmsg.MemberText(q.params, "sessionId"), o.awaitStore)
			r.work.Go(func() { <-done })
			return nil
		}
		r.work.Go(o.awaitStore)
		return nil
	}
	u.early.openings--
	n := 1
	for r.sessions[o.id(n)] != nil {
		n++
	}
	s := o.enter(o.id(n))
	s.keep(q.params, false)
	o.reply(s)
	return u.early.take(remote)
}

// awaitStore opens a session whose id or history depends on the store, for which it waits.
// Meanwhile, the session's lines are held.
func (o *opening) awaitStore() {
	u, r := o.up, o.up.relay
	s := o.enterFree()
	if s != nil && o.request.method == v1.MethodSessionFork {
		o.copy(s)
	}
	r.mu.Lock()
	if s == nil {
		r.requests.fail(o.request, u.ended)
	} else {
		o.reply(s)
		if r.ending {
			r.archive.end(s.id, &s.record) // Close may not have waited for it
		}
	}
	r.mu.Unlock()
	u.early.endNaming(o.remote, s)
}

// id returns the nth id to try for the session.
func (o *opening) id(n int) string {
	if n == 1 {
		return o.remote
	}
	return o.remote + "-" + strconv.Itoa(n)
}

// enter registers the session. The caller holds the lock.
func (o *opening) enter(id string) *session {
	u, r := o.up, o.up.relay
	s := r.newSession(id, o.remote, o.request.params)
	s.up, s.memory.forgets = u, o.request.forking.forgets
	r.sessions[id], u.names.sessions[o.remote] = s, s
	return s
}

// enterFree registers the session under an id that no other session has. It returns nil if
// its agent has ended.
func (o *opening) enterFree() *session {
	u, r := o.up, o.up.relay
	for n := 1; ; n++ {
		id := o.id(n)
		taken := u.handshake.able.reuseIDs() && r.archive.has(id)
		r.mu.Lock()
		if u.ended == nil && (taken || r.sessions[id] != nil) {
			r.mu.Unlock()
			continue
		}
		defer r.mu.Unlock()
		if u.ended != nil {
			return nil
		}
		s := o.enter(id)
		if o.request.method != v1.MethodSessionFork {
			s.keep(o.request.params, false)
		}
		return s
	}
}

// reply passes on the response. The caller holds the lock.
func (o *opening) reply(s *session) {
	if s.id != o.remote {
		o.up.relay.repairs.note(repairSameID, "session", o.remote)
		o.response.Result = rawmsg.Replace(o.response.Result, "sessionId", rawmsg.Quote(s.id))
	}
	o.request.pass(o.response)
}

// copy makes the session's record a copy of the one that the request forks. If the agent can't
// load sessions, or can't fork them, that is the session's history, in which no turn runs.
func (o *opening) copy(s *session) {
	r, q := o.up.relay, o.request
	r.mu.Lock()
	of := forkOf(q, r.sessions)
	r.mu.Unlock()
	made, copied := r.archive.copy(r.ctx, s.id, q.params, of)
	r.mu.Lock()
	s.record = made
	s.loading++
	r.mu.Unlock()
	if copied && (of.unknown || !o.up.handshake.able.load) {
		err := s.replay(q.call.Replay, core.Copied)
		if err != nil {
			r.log.Warn("the history of a forked session could not be read", "session", s.id, "error", err)
		}
		q.call.Replayed = q.call.Replay && err == nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.loading--
	s.record.past = true
}

// isOpening reports whether the session is being opened, here or by its agent, which then still
// replays its history. The caller holds the lock.
func isOpening(s *session) bool {
	if s.memory.opening || s.memory.lost || s.up == nil {
		return s.memory.opening
	}
	for _, q := range s.up.calls {
		if q.session == s && q.method == v1.MethodSessionLoad {
			return true
		}
	}
	return false
}
