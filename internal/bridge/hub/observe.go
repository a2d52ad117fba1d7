package hub

import (
	"bytes"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// An Event is something that a session's user may want to know while no client is
// connected. It never contains text of the conversation.
type Event struct {
	Kind    EventKind
	Session string
	Title   string // given by the agent or the user; "" if none
	// Active is the number of clients that can answer; see [Hub.Active].
	Active int
	// Running is the number of prompts that are unanswered after the event.
	Running int
	// Request is the number of the request within the session, in the events about one.
	Request int64
	// Question is set if the request is a form or a link, and not set if it asks for
	// permission.
	Question bool
	// Outcome is how the turn ended, in a TurnEnded event.
	Outcome Outcome
}

// An EventKind is the kind of an [Event].
type EventKind uint8

// The kinds of events.
const (
	// TurnBegan means that a client sent a prompt.
	TurnBegan EventKind = iota
	// TurnEnded means that a prompt was answered.
	TurnEnded
	// RequestOpened means that the agent waits for a permission or an answer.
	RequestOpened
	// RequestClosed means that a request was answered, withdrawn or rejected.
	RequestClosed
)

// An Outcome is how a turn ended.
type Outcome uint8

// The outcomes of turns.
const (
	Done Outcome = iota
	Cancelled
	Failed
)

// observed is what observers learn about a session besides its turns and requests.
type observed struct {
	title    string
	requests int64 // the number of requests so far
}

// observe reports an event, except for a session on another server, whose hub reports
// it. The caller holds the lock.
func (s *session) observe(e Event) {
	report := s.hub.cfg.Observe
	if report == nil || s.peer != nil || s.hub.closed {
		return
	}
	e.Session, e.Title, e.Active, e.Running = s.id, s.observed.title, s.active(), s.prompts.here
	report(e)
}

// observeRequest reports that a request was opened, or closed, if a user must answer it.
func (k *pendingRequest) observeRequest(kind EventKind) {
	question := k.method == v1.MethodElicitationCreate
	if k.session == nil || !question && k.method != v1.MethodRequestPermission {
		return
	}
	if kind == RequestOpened {
		k.session.observed.requests++
		k.number = k.session.observed.requests
	}
	if k.number > 0 {
		k.session.observe(Event{Kind: kind, Request: k.number, Question: question})
	}
}

// outcomeOf returns how a turn ended, from the response to its prompt.
func outcomeOf(reason v1.StopReason, failure []byte) Outcome {
	switch {
	case failure != nil:
		return Failed
	case reason == v1.StopCancelled:
		return Cancelled
	}
	return Done
}

// note remembers what an update says about the whole session.
func (s *session) note(update []byte) {
	s.setup.note(update)
	// Most updates are texts: don't parse them.
	if bytes.Contains(update, []byte(infoUpdate)) && rawmsg.MemberText(update, "sessionUpdate") == infoUpdate {
		s.observed.retitle(update)
	}
}

const infoUpdate = "session_info_update"

// maxTitle bounds a title for observers, in bytes.
const maxTitle = 2048

// retitle remembers the title in an update or a response, if it contains one.
func (o *observed) retitle(from []byte) {
	if value, _, _ := rawmsg.Member(from, "title"); value != nil {
		title := rawmsg.Text(value)
		o.title = strings.ToValidUTF8(strings.Clone(title[:min(len(title), maxTitle)]), "")
	}
}

// active returns the number of attached clients that can answer. A client that lost its
// connection can't, nor can an observer. A host and another server don't count, because
// they stay attached after their own clients left.
func (s *session) active() (n int) {
	for _, a := range s.attached {
		if c := a.client; !a.observer && !c.Host && !c.Peer && !c.hungUp && !c.isAway() {
			n++
		}
	}
	return n
}

// Active returns the number of connected clients of an open session that can answer its
// requests. Observers, hosts and other servers don't count.
func (h *Hub) Active(session string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sessions[session]; s != nil {
		return s.active()
	}
	return 0
}
