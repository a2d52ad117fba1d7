package ahphost

import (
	"time"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A session is a session that clients know. Its parts pass the agent's updates to the
// clients, and the clients' actions to the agent. The host's mutex guards it.
type session struct {
	host     *Host
	agent    *agent
	record   *record // shared by the parts, each of which writes its own members
	overview *overview
	chat     *chat
	turn     *turn
	others   *others
	pending  *pendingRequests
	choices  *choices
	queue    *queue
	remote   *remote

	rewinds  *rewinds
	gate     *gate
	leaving  *time.Timer // runs until the session is detached
	expected int         // how many clients will follow it once their other chats are open
}

// newSession returns a session of which only the record is known.
func newSession(a *agent, r record) *session {
	h, chatURI := a.host, ahp.ChatURI(r.URI)
	s := &session{host: h, agent: a, record: &r}
	out, mapper := &outlet{feed: h.feed}, &ahpmap.Mapper{Keep: h.contents.keep}
	s.overview = newOverview(h.clients, out, s.record, chatURI)
	s.chat = &chat{out: out, overview: s.overview, record: s.record, newID: h.cfg.NewID, uri: chatURI, folder: h.cfg.Spool, limit: h.cfg.ChatBytes}
	s.rewinds, s.gate = newRewinds(), &gate{act: s.act}
	s.turn = &turn{chat: s.chat, rewinds: s.rewinds, mapper: mapper, after: s.after, done: s.workEnded}
	s.pending = &pendingRequests{chat: s.chat, overview: s.overview, turn: s.turn, mapper: mapper}
	s.turn.asking = s.pending.any
	s.remote = &remote{session: s, agent: a, record: s.record}
	s.choices = &choices{agent: a, remote: s.remote, record: s.record, overview: s.overview, chat: s.chat, turn: s.turn, offers: a.offers}
	s.others = &others{chat: s.chat, turn: s.turn, stamp: s.choices.stamp}
	s.queue = &queue{
		chat: s.chat, turn: s.turn, others: s.others, pending: s.pending, choices: s.choices, remote: s.remote, after: s.after, save: s.save,
	}
	s.choices.show()
	if r.ACP == "" {
		s.chat.build()
	}
	return s
}

// channel returns the host's name for a channel of the session. Clients may use others.
func (s *session) channel(as string) string {
	if _, isChat := ahp.SessionOfChat(as); isChat {
		return s.chat.uri
	}
	return s.record.URI
}

// stopTimers stops all timers.
func (s *session) stopTimers() {
	s.turn.stopTimers()
	stop(s.leaving)
}

// after calls do after a delay, unless the host is closed or the session was dropped
// meanwhile.
func (s *session) after(after time.Duration, do func()) *time.Timer {
	return time.AfterFunc(after, func() {
		s.host.mu.Lock()
		defer s.host.mu.Unlock()
		if !s.host.closed && s.host.sessions.has(s) {
			do()
		}
	})
}

// attend records that a client follows the session.
func (s *session) attend() {
	stop(s.leaving)
	s.leaving = nil
}

// unattend detaches the session if no client follows it for a while. Otherwise the
// host, as a client of the hub, would keep it open forever.
func (s *session) unattend() {
	if s.leaving != nil || s.overview.watched() || s.expected > 0 || s.host.closed {
		return
	}
	s.leaving = s.after(s.host.cfg.Grace, func() {
		s.leaving = nil
		if s.overview.watched() || s.expected > 0 {
			return
		}
		if !s.chat.ready() || s.record.ACP == "" || s.turn.runs() || !s.queue.isEmpty() || s.remote.isOpening() || s.gate.isShut {
			return // unattend is called again when that ends
		}
		s.remote.detach()
		s.pending.drop()
		s.others.drop()
		s.chat.drop()
		s.overview.reset()
	})
}

// open calls then, with the lock held, once the session has a state, or with the error
// if it can't have one. An empty session has a state at once.
func (s *session) open(then func(error)) {
	if s.chat.ready() {
		then(nil)
		return
	}
	s.remote.connect(then)
}

// save saves the session's record.
func (s *session) save() {
	if s.host.sessions.has(s) {
		if s.chat.ready() {
			s.record.Queue = s.queue.saved()
		}
		s.host.saver.keep(*s.record)
	}
}

// workEnded continues after the agent has finished its work.
func (s *session) workEnded() {
	if s.queue.resume() {
		return
	}
	if s.chat.ready() {
		s.save()
	}
	if !s.others.next() {
		s.queue.next()
		s.unattend()
	}
}

// lose handles the loss of the connection to the agent.
func (s *session) lose() {
	s.remote.lost()
	postponed := s.queue.postpone()
	if rest := s.turn.cutOff(); rest != nil {
		s.remote.rest = rest
	}
	s.pending.withdraw()
	s.others.drop()
	if s.turn.runs() && !s.turn.isOwn() { // our own prompt is answered with the error
		s.turn.end("", errLost)
	}
	if postponed {
		s.queue.next()
	}
}
