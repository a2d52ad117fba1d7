package relay

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// opensAnother reports whether a request would open a session that is not open yet. The
// caller holds the lock.
func (r *relay) opensAnother(q *request) bool {
	switch q.method {
	case v1.MethodSessionNew, v1.MethodSessionFork:
		return true
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		return r.sessions[rawmsg.MemberText(q.params, "sessionId")] == nil
	}
	return false
}

// place returns an error if a request would exceed the session limit. Sessions that are
// being opened count. The caller holds the lock.
func (r *relay) place(q *request) error {
	if !r.opensAnother(q) {
		return nil
	}
	open := len(r.sessions)
	for other := range r.requests.open {
		if other != q && r.opensAnother(other) {
			open++
		}
	}
	if open < r.cfg.Sessions() {
		return nil
	}
	return protocol.Errorf(protocol.CodeInvalidRequest,
		"the limit of %d open sessions is reached; close one, or start turnwire with a larger --max-sessions", open)
}
