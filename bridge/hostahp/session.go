package hostahp

import (
	"maps"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/turnwire/turnwire/bridge/mapahp"
	"github.com/turnwire/turnwire/protocol/ahp"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A session is one that clients know. The host's mutex guards it.
type session struct {
	host     *Host
	agent    *agent
	record   *record // shared by the session's parts, each of which writes its own members
	overview *overview
	chat     *chat

	opening []func(error) // those that wait until it is open at the agent
	isOpen  bool
	self    string // what the hub calls this host
	offers  offers

	turn     *turn
	others   *others
	asks     *asks
	deferred func()      // starts a turn once the agent stopped working on the one before
	leaving  *time.Timer // until the session is detached
}

// newSession returns a session of which only the record is known.
func newSession(a *agent, r record) *session {
	h, chatURI := a.host, ahp.ChatURI(r.URI)
	s := &session{host: h, agent: a, record: &r, offers: a.offers}
	out := &outlet{feed: h.feed}
	s.overview = newOverview(out, s.record, chatURI)
	s.chat = &chat{out: out, overview: s.overview, record: s.record, newID: h.cfg.NewID, uri: chatURI}
	mapper := &mapahp.Mapper{Keep: h.contents.keep}
	s.turn = &turn{chat: s.chat, mapper: mapper, later: s.later, done: s.workEnded}
	s.others = &others{chat: s.chat, turn: s.turn, stamp: s.stamp}
	s.asks = &asks{chat: s.chat, overview: s.overview, turn: s.turn, mapper: mapper}
	s.turn.asking = s.asks.any
	s.offer()
	if r.ACP == "" {
		s.chat.build()
	}
	return s
}

// channel returns the name that the host has for a channel of the session. Clients
// have others as well.
func (s *session) channel(as string) string {
	if _, isChat := ahp.SessionOfChat(as); isChat {
		return s.chat.uri
	}
	return s.record.URI
}

// stopTimers stops what would happen later.
func (s *session) stopTimers() {
	s.turn.stopTimers()
	stop(s.leaving)
}

// later calls do after a while, unless the host is closed or the session was dropped
// before.
func (s *session) later(after time.Duration, do func()) *time.Timer {
	return time.AfterFunc(after, func() {
		s.host.mu.Lock()
		defer s.host.mu.Unlock()
		if !s.host.closed && s.host.sessions.has(s) {
			do()
		}
	})
}

// attend notes that a client looks at the session.
func (s *session) attend() {
	if s.leaving != nil {
		s.leaving.Stop()
		s.leaving = nil
	}
}

// unattend gives the session up after a while in which no client looks at it: a
// session that has a front end stays open for ever.
func (s *session) unattend() {
	if s.leaving != nil || s.overview.watched() || s.host.closed {
		return
	}
	s.leaving = s.later(s.host.cfg.Grace, func() {
		s.leaving = nil
		if s.overview.watched() {
			return
		}
		if !s.chat.ready() || s.record.ACP == "" || s.turn.runs() || s.deferred != nil || len(s.chat.queued()) > 0 || len(s.opening) > 0 {
			return // its end looks again
		}
		if up := s.agent.up; s.isOpen && up != nil {
			delete(up.sessions, s.record.ACP)
			up.call(methodDetach, map[string]string{"sessionId": s.record.ACP}, func(_, _ []byte) {})
		}
		s.isOpen = false
		s.asks.drop()
		s.chat.drop()
		s.overview.reset()
	})
}

// offer shows the agent's options, with the values chosen before the agent has them.
func (s *session) offer() {
	next := mapahp.Config(s.offers.Options, s.offers.Modes)
	for name, value := range s.record.Config {
		if _, known := next.Values[name]; known {
			next.Values[name] = value
		}
	}
	s.overview.offer(next)
}

// setOffers takes what the agent offers in this session.
func (s *session) setOffers(options []v1.ConfigOption, modes *v1.SessionModeState) {
	if options != nil {
		s.offers.Options = options
	}
	if modes != nil {
		s.offers.Modes = modes
	}
	s.offer()
}

// pathOf is the path of a file's URI, or "".
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

// chosen are the values of a session that has no agent yet.
func (s *session) choose(values map[string]any) {
	if s.record.Config == nil {
		s.record.Config = make(map[string]any)
	}
	maps.Copy(s.record.Config, values)
}
