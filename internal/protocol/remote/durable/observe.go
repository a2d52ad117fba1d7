package durable

import (
	"context"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

// observer is the role of a client that only watches a session. A client that once attached
// as one, even if that failed, stays one until its connection ends.
const observer = "observer"

// watching returns the params that attach an observer without the session's history.
func watching(id string) []byte {
	return rawmsg.Encode(map[string]string{"sessionId": id, "role": observer, "historyPolicy": "pending_only"})
}

// closed forgets a session, apart from whether the client is an observer.
func (s *state) closed(id string) {
	known := s.sessions[id]
	delete(s.sessions, id)
	if known != nil && known.observes {
		s.session(id, true).observes = true
	}
}

// watch tells the server that the client is an observer of a session that is not open.
func (c *Conn) watch(ctx context.Context, conn *client.Conn, id string) {
	if r, ok := c.call(ctx, conn, methodAttach, watching(id)); ok && r.failure == nil {
		c.call(ctx, conn, methodDetach, rawmsg.Encode(map[string]string{"sessionId": id}))
	}
}
