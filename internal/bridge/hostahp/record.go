package hostahp

import (
	"cmp"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A record is what the host remembers of a session, beside what the journal keeps.
type record struct {
	URI      string   `json:"uri"`
	Provider string   `json:"provider"`
	Key      string   `json:"agent"`             // of the agent in the journal
	ACP      string   `json:"session,omitempty"` // its id at the agent; "" before its first turn
	Folders  []string `json:"folders"`           // the first is the working directory
	Title    string   `json:"title,omitempty"`
	// ByUser says that the user has given the title.
	ByUser   bool           `json:"titledByUser,omitempty"`
	Read     bool           `json:"read,omitempty"`
	Archived bool           `json:"archived,omitempty"`
	Created  string         `json:"created"`
	Modified string         `json:"modified"`
	Config   map[string]any `json:"config,omitempty"` // what was chosen before the agent ran
	Draft    *ahp.Message   `json:"draft,omitempty"`
}

// unused is how long a session is remembered in which nothing was said.
const unused = 7 * 24 * time.Hour

// recall takes the sessions that were remembered. A host serves the agents that it
// has: sessions of others are left alone.
func (h *Host) recall() {
	for _, r := range h.saver.records() {
		a := h.agents.of(r.Provider)
		if a == nil || a.Key != r.Key {
			continue
		}
		modified, err := time.Parse(time.RFC3339, r.Modified)
		if r.ACP == "" && (err != nil || time.Since(modified) > unused) {
			h.saver.forget(r.URI)
			continue
		}
		h.know(r)
	}
}

// know makes a session of a record, unless there is one. The lock is held.
func (h *Host) know(r record) *session {
	if s := h.sessions.known(&r); s != nil {
		return s
	}
	a := h.agents.of(r.Provider)
	if a == nil {
		return nil
	}
	s := newSession(a, r)
	h.sessions.add(s)
	return s
}

// place tells a session from all others, whatever clients call it.
func (r *record) place() string { return r.Key + "\x00" + r.ACP }

// drop forgets the session.
func (s *session) drop() {
	h := s.host
	s.stopTimers()
	s.chat.giveUp()
	h.sessions.remove(s)
	h.clients.unsubscribe(s.record.URI, s.chat.uri)
	h.saver.forget(s.record.URI)
	h.clients.notify(methodSessionRemoved, map[string]any{"channel": ahp.Root, "session": s.record.URI})
}

// Worked notes that an agent worked in a session: other clients of its hub have
// sessions that clients of this host want to list. It reads the journal.
func (h *Host) Worked(provider, id string) {
	h.mu.Lock()
	a := h.agents.of(provider)
	if a == nil || h.closed || h.cfg.Journal == nil {
		h.mu.Unlock()
		return
	}
	place := record{Key: a.Key, ACP: id}
	s := h.sessions.at(place.place())
	attached := s != nil && s.remote.upstream() != nil
	h.mu.Unlock()
	if attached {
		return // what is said there tells all
	}
	found, err := h.cfg.Journal.Describe(id)
	if err != nil || found.Agent != a.Key || found.Empty {
		return
	}
	r := a.recordOf(found)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	if s := h.sessions.at(r.place()); s != nil {
		s.record.Modified = max(s.record.Modified, r.Modified)
		s.overview.entitle(r.Title)
		s.overview.listed()
		return
	}
	if s := h.know(r); s != nil {
		h.clients.notify(methodSessionAdded, map[string]any{"channel": ahp.Root, "summary": s.overview.summary()})
	}
}

// recordOf is the record of a session that the host knows from the journal alone.
func (a *agent) recordOf(s journal.Summary) record {
	return record{
		URI: ahp.SessionURI(a.Provider, s.ID), Provider: a.Provider, Key: a.Key, ACP: s.ID,
		Folders: append([]string{s.Cwd}, s.Roots...), Title: s.Title, Read: true,
		Created: stamp(cmp.Or(s.Created, s.Updated)), Modified: stamp(s.Updated),
	}
}

// titleOf returns a title made of a message.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if runes := []rune(line); len(runes) > maxTitle {
		line = string(runes[:maxTitle-1]) + "…"
	}
	return line
}

// maxTitle bounds a title that is made of a message, in characters.
const maxTitle = 80
