package ahphost

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A record is what the host saves about a session in addition to the journal.
type record struct {
	URI      string   `json:"uri"`
	Provider string   `json:"provider"`
	Key      string   `json:"agent"`             // the agent's key in the journal
	ACP      string   `json:"session,omitempty"` // the agent's session id; "" before the first turn
	Folders  []string `json:"folders"`           // the first is the working directory
	Title    string   `json:"title,omitempty"`
	// ByUser is set if the user set the title.
	ByUser   bool           `json:"titledByUser,omitempty"`
	Read     bool           `json:"read,omitempty"`
	Archived bool           `json:"archived,omitempty"`
	Created  string         `json:"created"`
	Modified string         `json:"modified"`
	Config   map[string]any `json:"config,omitempty"` // the values chosen before the agent had the session
	Draft    *ahp.Message   `json:"draft,omitempty"`
	// Sent is the message of the running turn, until that ends. If the host ends first, the
	// session's history may lack it.
	Sent *sentMessage `json:"sent,omitempty"`
	// Queue are the messages that wait for a turn.
	Queue []ahp.PendingMessage `json:"queue,omitempty"`
}

// A sentMessage is a message that the agent may not have received.
type sentMessage struct {
	ID      string      `json:"id"` // of the message
	Message ahp.Message `json:"message"`
	// First is set if the agent's source may not have saved the session. Then only the host has
	// the message.
	First bool `json:"first,omitempty"`
}

// unused is how long an empty session is kept.
const unused = 7 * 24 * time.Hour

// recall loads the saved sessions. It ignores the sessions of agents that this host
// does not serve.
func (h *Host) recall() {
	for _, r := range h.saver.records() {
		a := h.agents.of(r.Provider)
		if a == nil || a.Key != r.Key {
			continue
		}
		r = h.unopened(r)
		modified, err := time.Parse(time.RFC3339, r.Modified)
		if r.ACP == "" && (err != nil || time.Since(modified) > unused) {
			h.saver.forget(r.URI)
			continue
		}
		h.know(r)
	}
}

// unopened returns the record of a session without an agent's session if that was not saved
// before the last host was killed. If the first message was certainly not sent, it waits again
// then. Otherwise it stays in Sent: nothing is known of what the agent did.
func (h *Host) unopened(r record) record {
	switch sent := r.Sent; {
	case sent == nil || !sent.First:
	case r.ACP == "":
		r.Sent = nil
		r.Queue = append([]ahp.PendingMessage{{Message: sent.Message}}, r.Queue...)
	case h.cfg.Journal != nil:
		if _, err := h.cfg.Journal.Describe(r.ACP); errors.Is(err, journal.ErrNotFound) {
			r.ACP = ""
		}
	}
	return r
}

// know creates a session for a record, unless there is one. The caller holds the lock.
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

// place returns a key that identifies the session, whatever clients call it.
func (r *record) place() string { return r.Key + "\x00" + r.ACP }

// drop removes the session.
func (s *session) drop() {
	h := s.host
	s.stopTimers()
	s.chat.giveUp()
	h.sessions.remove(s)
	h.clients.unsubscribe(s.record.URI, s.chat.uri)
	h.saver.forget(s.record.URI)
	h.clients.notify(methodSessionRemoved, map[string]any{"channel": ahp.Root, "session": s.record.URI})
}

// Worked records that an agent worked in a session. Sessions that other clients of its
// hub use must appear in this host's lists, too. It reads the journal.
func (h *Host) Worked(provider, id string) {
	h.mu.Lock()
	a := h.agents.of(provider)
	if a == nil || h.closed {
		h.mu.Unlock()
		return
	}
	place := record{Key: a.Key, ACP: id}
	s := h.sessions.at(place.place())
	attached := s != nil && s.remote.upstream() != nil
	if s != nil && s.remote.wasLost && s.chat.ready() && s.overview.watched() {
		s.remote.refresh(func() {})
	}
	h.mu.Unlock()
	if attached || h.cfg.Journal == nil {
		return // its updates reach all clients
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

// recordOf returns a record for a session that the host only knows from the journal.
func (a *agent) recordOf(s journal.Summary) record {
	return record{
		URI: ahp.SessionURI(a.Provider, s.ID), Provider: a.Provider, Key: a.Key, ACP: s.ID,
		Folders: append([]string{s.Cwd}, s.Roots...), Title: s.Title, Read: true,
		Created: stamp(cmp.Or(s.Created, s.Updated)), Modified: stamp(s.Updated),
	}
}

// titleOf derives a title from a message.
func titleOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if runes := []rune(line); len(runes) > maxTitle {
		line = string(runes[:maxTitle-1]) + "…"
	}
	return line
}

// maxTitle bounds a title that is derived from a message, in characters.
const maxTitle = 80
