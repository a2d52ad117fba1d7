package relay

import "github.com/turnwire/turnwire/internal/protocol/rawmsg"

const (
	kindSubagent = "subagent_update"
	// maxChildren bounds the sub-agents' sessions of a process that are known.
	maxChildren = 4096
)

// names are the ids by which a process of the agent knows the sessions, and those of
// their sub-agents. The relay's mutex guards them.
type names struct {
	sessions map[string]*session
	children map[string]*session // by the sub-agent's session: whose sub-agent it is
}

func newNames() names {
	return names{sessions: make(map[string]*session), children: make(map[string]*session)}
}

// enter names a session. A name that it had before is forgotten.
func (n *names) enter(s *session, remote string) {
	if n.sessions[s.remote] == s {
		delete(n.sessions, s.remote)
	}
	s.remote = remote
	n.sessions[remote] = s
}

// adopt names the session of a sub-agent that an update of the session s, or of one of
// its sub-agents, announces: it is not one that a request has made.
func (n *names) adopt(s *session, kind string, body []byte) {
	if kind != kindSubagent {
		return
	}
	child := rawmsg.MemberText(body, "sessionId")
	if child != "" && n.sessions[child] == nil && len(n.children) < maxChildren {
		n.children[child] = s
	}
}

// owner returns the session that has a name, or whose sub-agent has. own is false for
// the latter.
func (n *names) owner(remote string) (s *session, own bool) {
	if s := n.sessions[remote]; s != nil {
		return s, true
	}
	return n.children[remote], false
}

// remove forgets a session and its sub-agents.
func (n *names) remove(s *session) {
	if n.sessions[s.remote] == s {
		delete(n.sessions, s.remote)
	}
	for child, of := range n.children {
		if of == s {
			delete(n.children, child)
		}
	}
}
