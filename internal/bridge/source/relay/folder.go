package relay

import (
	"context"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// upstreamOf returns the process that handles a request. The caller holds the lock.
func (r *relay) upstreamOf(q *request) (*upstream, error) {
	s := q.session
	switch {
	case s != nil && s.up != nil && !s.memory.lost:
		return s.up, nil
	case s != nil:
		return r.upstream(r.cfg.Agent.folder(s.cwd))
	}
	switch q.method {
	case v1.MethodSessionNew, v1.MethodSessionFork, v1.MethodSessionLoad, v1.MethodSessionResume:
		return r.upstream(r.cfg.Agent.folder(rawmsg.MemberText(objectOf(q.params), "cwd")))
	}
	return r.upstream("")
}

// retire ends a process that was started for a folder, if no session needs it any more.
// The caller holds the lock.
func (u *upstream) retire() {
	r := u.relay
	if u.folder == "" || len(u.names.sessions) > 0 || len(u.calls) > 0 || len(u.handshake.waiting) > 0 || u.needed > 0 || r.ups[u.folder] != u || r.ending {
		return
	}
	u.retired = true
	delete(r.ups, u.folder)
	r.log.Debug("no session uses the agent's process any more", "folder", u.folder)
	r.work.Go(func() {
		ctx, stop := context.WithTimeout(r.ctx, stopBudget)
		defer stop()
		u.transport.Stop(ctx)
	})
}
