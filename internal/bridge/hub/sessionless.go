package hub

import (
	"strings"

	"github.com/turnwire/turnwire/protocol"
)

// offerAll asks the clients that may answer a request without a session. One about a
// client's call goes to that client. An extension goes to every client that is connected;
// clients that connect later are not asked.
func (k *pendingRequest) offerAll() {
	u := k.up
	u.sessionless = append(u.sessionless, k)
	if c := u.pending[k.of.About]; c != nil && c.from != nil && !c.from.left {
		if k.offer(c.from, nil); len(k.asked) == 0 {
			k.fail(protocol.CodeMethodNotFound, "no client can show %s", k.method)
		}
		return
	}
	if strings.HasPrefix(k.method, "_") && u.peer == "" {
		for _, cl := range u.hub.clients {
			if cl.answersAgent() {
				cl.catchUp(u)
				k.offer(cl, nil)
			}
		}
	}
	if len(k.asked) == 0 {
		k.fail(protocol.CodeMethodNotFound, "no client is connected to answer %s", k.method)
	}
}

// answersAgent reports whether the client may answer an agent's request without a session.
// An observer may not, nor a host, which speaks another protocol. Another server's clients
// are not clients of this agent.
func (cl *client) answersAgent() bool {
	if !cl.initialized || cl.hungUp || cl.From.Watches || cl.Host || cl.Peer {
		return false
	}
	for _, a := range cl.attached {
		if !a.observer {
			return true
		}
	}
	return len(cl.observes) == 0
}
