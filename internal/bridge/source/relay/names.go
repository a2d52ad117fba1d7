package relay

import "github.com/turnwire/turnwire/internal/protocol/rawmsg"

const (
	kindSubagent = "subagent_update"
	// maxChildren bounds the known sub-agent sessions of a process, and its known closed
	// sessions.
	maxChildren = 4096
)

// names map the agent process's ids of sessions and sub-agents to sessions. The relay's
// mutex guards them.
type names struct {
	sessions map[string]*session
	children map[string]*session // by sub-agent id: the session of the sub-agent
	closed   map[string]*session // sessions that the client closed or deleted
}

func newNames() names {
	return names{sessions: make(map[string]*session), children: make(map[string]*session), closed: make(map[string]*session)}
}

// enter gives a session a name, and drops its previous name.
func (n *names) enter(s *session, remote string) {
	if n.sessions[s.remote] == s {
		delete(n.sessions, s.remote)
	}
	s.remote = remote
	n.sessions[remote] = s
	delete(n.closed, remote)
}

// adopt registers the sub-agent that an update announces as one of the session s. The
// update comes from s or one of its sub-agents. adopt ignores sessions that a request
// opened.
func (n *names) adopt(s *session, kind string, body []byte) {
	if kind != kindSubagent {
		return
	}
	child := rawmsg.MemberText(body, "sessionId")
	if child != "" && n.sessions[child] == nil && len(n.children) < maxChildren {
		n.children[child] = s
	}
}

// owner returns the session with a name, which may be closed, or the session whose
// sub-agent has it. own is false for a sub-agent.
func (n *names) owner(remote string) (s *session, own bool) {
	if s := n.sessions[remote]; s != nil {
		return s, true
	}
	if s := n.children[remote]; s != nil {
		return s, false
	}
	s = n.closed[remote]
	return s, s != nil
}

// close drops a session that the client no longer has. The agent may still work in it, but
// the client must see nothing more of it.
func (n *names) close(s *session) {
	n.remove(s)
	if len(n.closed) < maxChildren {
		n.closed[s.remote] = s
	}
}

// wasClosed reports whether the client closed the session with its id. The caller holds the
// lock.
func (r *relay) wasClosed(id string) bool {
	for _, u := range r.ups {
		for _, s := range u.names.closed {
			if s.id == id {
				return true
			}
		}
	}
	return false
}

// remove drops a session and its sub-agents.
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
