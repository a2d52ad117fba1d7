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
	host    *Host
	agent   *agent
	uri     string
	chatURI string
	record  record
	state   ahp.Session
	chat    *ahp.Chat // nil before it was built: the session is only listed
	built   int64     // number of the last action before that

	opening   []func(error) // those that wait until it is open at the agent
	isOpen    bool
	self      string // what the hub calls this host
	replaying bool   // what is said was said before
	offers    offers

	mapper   mapahp.Mapper
	running  *running  // what the agent works on
	held     func()    // the turn that begins once that is answered
	others   []*prompt // of other front ends, which the agent has and that have not begun
	asks     []*ask
	asked    int         // requests for the user, to number them
	flushing *time.Timer // until what tools print is sent
	quiet    *time.Timer // until a turn that no prompt has begun ends
	leaving  *time.Timer // until it is detached
}

// newSession returns one of which only the record is known.
func newSession(a *agent, r record) *session {
	s := &session{host: a.host, agent: a, uri: r.URI, chatURI: ahp.ChatURI(r.URI), record: r, offers: a.offers}
	s.mapper.Keep = a.host.contents.keep
	status := ahp.Idle.With(ahp.IsRead, r.Read).With(ahp.IsArchived, r.Archived)
	s.state = ahp.Session{
		Provider: a.Provider, Title: r.Title, Status: status, Lifecycle: ahp.LifecycleReady, ActiveClients: []ahp.ActiveClient{},
		Chats:       []ahp.ChatSummary{{Resource: s.chatURI, Title: r.Title, Status: ahp.Idle, ModifiedAt: r.Modified}},
		DefaultChat: s.chatURI,
	}
	for _, folder := range r.Folders {
		s.state.WorkingDirectories = append(s.state.WorkingDirectories, mapahp.FileURI(folder))
	}
	s.offer()
	if r.ACP == "" {
		s.newChat()
	}
	return s
}

// newChat begins the chat anew.
func (s *session) newChat() {
	s.chat = &ahp.Chat{
		Resource: s.chatURI, Title: s.state.Title, Status: ahp.Idle, ModifiedAt: s.record.Modified, Turns: []ahp.Turn{}, Draft: s.record.Draft,
	}
	s.built = s.host.feed.last
}

// ready reports whether the session has a state that clients can follow.
func (s *session) ready() bool { return s.chat != nil && !s.replaying }

// channel is what the host calls a channel of the session, which clients call by
// other names as well.
func (s *session) channel(as string) string {
	if _, chat := ahp.SessionOfChat(as); chat {
		return s.chatURI
	}
	return s.uri
}

// say applies actions to the chat, and sends them to its clients. from is whose they
// are, nil for the host's.
func (s *session) say(from *origin, actions ...ahp.Action) {
	at := now()
	for _, a := range actions {
		s.chat.Apply(a, at)
		if !s.replaying {
			s.host.feed.publish(s.chatURI, a, from)
		}
	}
	s.refresh()
}

// sayOfSession is say for actions of the session.
func (s *session) sayOfSession(from *origin, actions ...ahp.Action) {
	for _, a := range actions {
		s.state.Apply(a)
		if !s.replaying {
			s.host.feed.publish(s.uri, a, from)
		}
	}
}

// refresh has the session say what its chat does.
func (s *session) refresh() {
	shown := &s.state.Chats[0]
	status := s.chat.Status
	if shown.Status == status {
		return
	}
	changes := ahp.ChatChanges{Status: &status}
	if !s.replaying {
		s.record.Modified = now()
		changes.ModifiedAt = &s.record.Modified
	}
	s.sayOfSession(nil, &ahp.ChatUpdated{Chat: s.chatURI, Changes: changes})
	s.listed()
}

// listed tells those who list sessions that this one has changed.
func (s *session) listed() {
	if s.replaying {
		return
	}
	s.host.clients.notify(methodSummaryChanged, map[string]any{
		"channel": ahp.Root, "session": s.uri,
		"changes": map[string]any{"title": s.summary().Title, "status": s.status(), "modifiedAt": s.record.Modified},
	})
}

// stopTimers stops what would happen later.
func (s *session) stopTimers() {
	for _, t := range []*time.Timer{s.flushing, s.quiet, s.leaving} {
		if t != nil {
			t.Stop()
		}
	}
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

// watched reports whether a client looks at the session.
func (s *session) watched() bool { return s.host.clients.follow(s.uri, s.chatURI) }

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
	if s.leaving != nil || s.watched() || s.host.closed {
		return
	}
	s.leaving = s.later(s.host.cfg.Grace, func() {
		s.leaving = nil
		if s.watched() {
			return
		}
		if s.chat == nil || s.record.ACP == "" || s.running != nil || s.held != nil || len(s.chat.QueuedMessages) > 0 || len(s.opening) > 0 {
			return // its end looks again
		}
		if up := s.agent.up; s.isOpen && up != nil {
			delete(up.sessions, s.record.ACP)
			up.call(methodDetach, map[string]string{"sessionId": s.record.ACP}, func(_, _ []byte) {})
		}
		s.isOpen, s.chat, s.asks = false, nil, nil
		s.state.InputNeeded, s.state.ActiveClients = nil, []ahp.ActiveClient{}
	})
}

// offer shows what can be chosen. What there is to choose is fixed while a client
// looks at it: the protocol changes values alone.
func (s *session) offer() {
	next := mapahp.Config(s.offers.Options, s.offers.Modes)
	for name, value := range s.record.Config {
		if _, known := next.Values[name]; known {
			next.Values[name] = value
		}
	}
	if s.state.Config == nil || !s.watched() {
		s.state.Config = next
		return
	}
	changed := make(map[string]any)
	for name, value := range next.Values {
		if _, known := s.state.Config.Schema.Properties[name]; known && s.state.Config.Values[name] != value {
			changed[name] = value
		}
	}
	if len(changed) > 0 {
		s.sayOfSession(nil, &ahp.ConfigChanged{Config: changed})
	}
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
