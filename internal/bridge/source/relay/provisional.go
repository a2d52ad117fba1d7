package relay

import (
	"crypto/rand"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// advise tells the user why the agent may not have responded to "initialize" yet. Only a
// session can show that, so the client's requests to initialize and to open sessions are
// answered now, and those that follow until the agent is initialized. The caller holds the
// lock.
func (u *upstream) advise(n notice) {
	u.misuse.advice = &n
	if q := u.relay.requests.greeting(); q != nil {
		u.relay.introduce(q, nothingKnown)
	}
	var others []queuedMessage
	for _, h := range u.handshake.waiting {
		if h.request == nil || !h.request.openProvisional(u) {
			others = append(others, h)
		}
	}
	u.handshake.waiting = others
}

// provisionalPrefix begins the ids of sessions that the agent knows by another id.
const provisionalPrefix = "tw-"

// mayKnowMore reports whether the journal may know more of the session that a request names than
// the agent: the beginning of a copy, or the agent's id, if the client knows it by another one.
func (r *relay) mayKnowMore(q *request, id string) bool {
	return r.sessions[id] == nil && (strings.HasPrefix(id, provisionalPrefix) || q.opensSaved())
}

// openProvisional answers a request for a session that the agent can't open yet. The
// agent may just be slow, so prompts wait until the agent has opened the session. It
// returns false if the request must wait for the agent. The caller holds the lock.
func (q *request) openProvisional(u *upstream) bool {
	r, n := u.relay, u.misuse.advice
	if n == nil || q.method != v1.MethodSessionNew || !r.client.mends() {
		return false
	}
	if !r.requests.waits(q) {
		return true
	}
	s := r.newSession(provisionalPrefix+rand.Text(), "", q.params)
	s.memory.lost, s.memory.provisional = true, true
	r.sessions[s.id] = s
	s.keep(q.params, false)
	r.requests.reply(q, withMember(nil, "sessionId", rawmsg.Quote(s.id)))
	r.view.Send(updateNotification(s.id, r.client.noticeOf(n.severity, n.text, "")))
	s.attend()
	return true
}

// establish ends the provisional state. It returns the update that shows the options in the
// agent's response, or nil.
func (m *memory) establish(result []byte) (update []byte) {
	m.provisional = false
	options, _, _ := rawmsg.Member(result, "configOptions")
	if options == nil {
		return nil
	}
	return withMember([]byte(`{"sessionUpdate":"config_option_update"}`), "configOptions", options)
}
