package hub

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/spool"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// maxSessions bounds the sessions that are known.
const maxSessions = 4096

// A session is one that is open at the agent. The hub's mutex guards it.
type session struct {
	hub      *Hub
	peer     *upstream // the server that has it; nil for this one
	id       string
	envelope envelope // of its updates
	cwd      string
	open     bool  // the agent has answered the request that opens it
	setup    setup // the answer then, kept up to date
	history  history
	attached []*attachment
	asks     []*ask
	prompts  int        // that are not answered
	loading  []*request // those that wait until it is open
	idle     *time.Timer
}

// newSession adds a session. The lock is held.
func (h *Hub) newSession(id string) *session {
	s := &session{hub: h, id: id, envelope: newEnvelope(id)}
	s.history.shelf.file = spool.New(h.cfg.Spool)
	h.sessions[id] = s
	return s
}

// add adds a change and wakes the front ends.
func (s *session) add(c change) {
	s.history.add(c)
	for _, a := range s.attached {
		a.front.out.stir(a)
	}
	if s.history.hasLongTail() {
		s.fold(s.history.foldTail)
	}
}

// fold folds the history by one of its methods. A client that has received a part of it
// gets the rest.
func (s *session) fold(by func(cursors []int64) (lost int)) {
	cursors := make([]int64, len(s.attached))
	for i, a := range s.attached {
		cursors[i] = a.sent
	}
	s.history.limit = historyShare(len(s.hub.sessions))
	if n := by(cursors); n > 0 {
		s.hub.log.Warn("a session is too long to be shown whole to front ends that come later", "session", s.id, "changes", n)
	}
}

// controlledBeside reports whether somebody else than a works in the session. Who only
// watches, and a host whose clients may only have looked, does not keep it open.
func (s *session) controlledBeside(a *attachment) bool {
	return slices.ContainsFunc(s.attached, func(b *attachment) bool { return b != a && !b.observer && !b.front.Host })
}

// mayClose closes the session after a while in which nobody has used it.
func (s *session) mayClose() {
	if len(s.attached) > 0 || s.prompts > 0 || !s.open || s.idle != nil {
		return
	}
	h := s.hub
	s.idle = time.AfterFunc(h.cfg.Idle, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.sessions[s.id] != s || s.idle == nil || len(s.attached) > 0 || s.prompts > 0 || s.upstream() == nil {
			return
		}
		s.idle = nil
		h.log.Info("closed a session that nobody used", "session", s.id)
		s.upstream().call(nil, s.leaving(), rawmsg.Encode(map[string]string{"sessionId": s.id}), func(_, _ []byte) {})
		h.drop(s)
	})
}

// drop forgets a session that is not open any more. The lock is held.
func (h *Hub) drop(s *session) {
	if h.sessions[s.id] == s {
		delete(h.sessions, s.id)
	}
	s.open = false
	closeAll(h, s.history.shelf.file)
	for _, k := range slices.Clone(s.asks) {
		k.withdraw()
	}
	for _, a := range slices.Clone(s.attached) {
		a.detach()
	}
	if s.idle != nil {
		s.idle.Stop()
	}
}

// show shows an update to all front ends but the one that caused it.
func (s *session) show(update []byte, author *attachment) {
	c := s.envelope.change(update)
	c.author = author
	s.add(c)
}

// clients are the front ends of the session, as the proposal for attaching has
// them.
func (s *session) clients() []client {
	all := make([]client, 0, len(s.attached))
	for _, a := range s.attached {
		all = append(all, a.client())
	}
	return all
}

// tell tells the front ends that know of each other what one of them has done, or
// what became of it.
func (s *session) tell(news *core.News, about map[string]any) {
	about["sessionUpdate"] = news.Kind
	c := s.envelope.change(rawmsg.Encode(about))
	c.from, c.to = 0, 0 // it is not folded
	c.aware, c.news = true, news
	s.add(c)
}
