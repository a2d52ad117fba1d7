package hub

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/spool"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// maxSessions bounds the known sessions.
const maxSessions = 4096

// A session is open at the agent, or is being opened. The hub's mutex guards it.
type session struct {
	hub      *Hub
	peer     *upstream // the server that has the session; nil for this one
	id       string
	envelope envelope // of its updates
	cwd      string
	open     bool  // the agent answered the request that opens the session
	loaded   int64 // the number of the last change before that
	setup    setup // that response, kept up to date
	history  history
	attached []*attachment
	pending  []*pendingRequest
	prompts  prompts
	loading  []*request // requests that wait until the session is open
	idle     *time.Timer
	observed observed
}

// newSession adds a session. The caller holds the lock.
func (h *Hub) newSession(id string) *session {
	s := &session{hub: h, id: id, envelope: newEnvelope(id)}
	s.history.shelf.file = spool.New(h.cfg.Spool)
	h.sessions[id] = s
	return s
}

// add adds a change and wakes the clients.
func (s *session) add(c change) {
	s.history.add(c)
	for _, a := range s.attached {
		a.client.out.markDirty(a)
	}
	if s.history.hasLongTail() {
		s.fold(s.history.foldTail)
	}
}

// fold folds the history between the clients' positions, with one of its methods.
func (s *session) fold(by func(cursors []int64) (lost int)) {
	cursors := make([]int64, 0, len(s.attached)+1)
	for _, a := range s.attached {
		cursors = append(append(cursors, a.sent), a.marks...)
	}
	cursors = append(cursors, s.loaded) // see afterRestart
	s.history.limit = historyShare(len(s.hub.sessions))
	if n := by(cursors); n > 0 {
		s.hub.log.Warn("a session is too long: later clients see only part of it", "session", s.id, "changes", n)
	}
}

// controlledBeside reports whether a client other than a controls the session.
// Observers don't count, nor does a host, whose clients may only have looked at the
// session.
func (s *session) controlledBeside(a *attachment) bool {
	return slices.ContainsFunc(s.attached, func(b *attachment) bool { return b != a && !b.observer && !b.client.Host })
}

// mayClose closes the session once it is unused for a while.
func (s *session) mayClose() {
	if len(s.attached) > 0 || s.prompts.here > 0 || !s.open || s.idle != nil {
		return
	}
	h := s.hub
	s.idle = time.AfterFunc(h.cfg.Idle, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.sessions[s.id] != s || s.idle == nil || len(s.attached) > 0 || s.prompts.here > 0 || s.upstream() == nil {
			return
		}
		s.idle = nil
		h.log.Info("closed an unused session", "session", s.id)
		s.upstream().call(nil, s.leaving(), rawmsg.Encode(map[string]string{"sessionId": s.id}), func(_, _ []byte) {})
		h.drop(s)
	})
}

// drop removes a session that is no longer open. The caller holds the lock.
func (h *Hub) drop(s *session) {
	if h.sessions[s.id] == s {
		delete(h.sessions, s.id)
	}
	s.open = false
	for _, k := range slices.Clone(s.pending) {
		k.withdraw()
	}
	for _, a := range slices.Clone(s.attached) {
		a.detach()
	}
	s.history.shelf.close()
	if s.idle != nil {
		s.idle.Stop()
	}
}

// show shows an update to all clients except the one that caused it.
func (s *session) show(update []byte, author *client) {
	c := s.envelope.change(update)
	c.author = author.id
	s.add(c)
}

// clients returns the session's clients, in the format of the proposal for attaching.
func (s *session) clients() []clientInfo {
	all := make([]clientInfo, 0, len(s.attached))
	for _, a := range s.attached {
		all = append(all, a.info())
	}
	return all
}

// tell reports a client's action, or its outcome, to the clients that want to know
// about each other.
func (s *session) tell(event *core.ClientEvent, about map[string]any) {
	about["sessionUpdate"] = event.Kind
	s.add(s.envelope.event(event, rawmsg.Encode(about)))
}
