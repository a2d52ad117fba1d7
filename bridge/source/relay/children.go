package relay

import "github.com/turnwire/turnwire/protocol/rawmsg"

const (
	kindSubagent = "subagent_update"
	// maxChildren bounds the sessions of sub-agents that are known, of a process.
	maxChildren = 4096
)

// adopt notes the session of a sub-agent that an update of the session s, or of
// one of its sub-agents, announces: it is not one that a request has made. The
// lock is held.
func (u *upstream) adopt(s *session, kind string, body []byte) {
	if kind != kindSubagent {
		return
	}
	child := rawmsg.MemberText(body, "sessionId")
	if child != "" && u.sessions[child] == nil && len(u.children) < maxChildren {
		u.children[child] = s
	}
}

// owner is the session that has a name, or whose sub-agent has. own is false for
// the latter. The lock is held.
func (u *upstream) owner(remote string) (s *session, own bool) {
	if s := u.sessions[remote]; s != nil {
		return s, true
	}
	return u.children[remote], false
}

// disown forgets the sub-agents of a session. The lock is held.
func (u *upstream) disown(s *session) {
	for child, of := range u.children {
		if of == s {
			delete(u.children, child)
		}
	}
}
