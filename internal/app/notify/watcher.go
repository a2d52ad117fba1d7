package notify

import (
	"crypto/rand"
	"net/url"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// A watcher decides which events of an agent's sessions to notify the user of, and when.
//
// The hub reports events with its lock held, and is asked about its clients without the
// watcher's lock, so the locks are always taken in the same order.
type watcher struct {
	notifier *Notifier
	agent    string
	active   func(session string) int

	mu       sync.Mutex
	closed   bool
	sessions map[string]*session // those with a running turn or something to tell
}

// observe handles an event of the hub. It doesn't block.
func (w *watcher) observe(e hub.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	s := w.sessions[e.Session]
	if s == nil {
		s = &session{requests: make(map[int64]request), told: make([]int64, len(w.notifier.targets))}
		w.sessions[e.Session] = s
	}
	now := time.Now()
	if s.timer == nil {
		s.absent = time.Time{} // nobody looked since
	}
	s.title = line(e.Title)
	s.seen(e.Active, now)
	switch e.Kind {
	case hub.TurnBegan:
		if e.Running == 1 {
			s.began = now
		}
		s.end = nil
	case hub.TurnEnded:
		s.ended(e, now)
	case hub.RequestOpened:
		s.requests[e.Request] = request{since: now, question: e.Question}
	case hub.RequestClosed:
		delete(s.requests, e.Request)
	}
	w.arm(e.Session, s, now)
}

// look checks whether a session has an active client, and tells the user what is due.
func (w *watcher) look(id string) {
	active := w.active(id)
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.sessions[id]
	if s == nil || w.closed {
		return
	}
	now := time.Now()
	s.seen(active, now)
	for i, t := range w.notifier.targets {
		for _, n := range s.news(i, t) {
			if !n.due.IsZero() && !n.due.After(now) {
				s.markTold(i, n)
				t.enqueue(w.message(id, s, n, now))
			}
		}
	}
	w.arm(id, s, now)
}

// arm schedules the next look at a session, or forgets the session if it is idle and the
// user was told everything.
func (w *watcher) arm(id string, s *session, now time.Time) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	wait, needed := pollPeriod, false
	for i, t := range w.notifier.targets {
		for _, n := range s.news(i, t) {
			needed = true
			if !n.due.IsZero() {
				wait = min(wait, n.due.Sub(now))
			}
		}
	}
	switch {
	case needed:
		s.timer = time.AfterFunc(wait, func() { w.look(id) })
	case s.began.IsZero() && len(s.requests) == 0:
		delete(w.sessions, id)
	}
}

// message returns the notification about something new in a session.
func (w *watcher) message(id string, s *session, n news, now time.Time) Message {
	m := Message{ID: rand.Text(), Event: n.event, Agent: w.agent, Session: id, Title: s.title, Time: now, Page: pageOf(w.notifier.page, id)}
	if n.event == config.NotifyWaits {
		m.Request = permission
		if n.question {
			m.Request = question
		}
	}
	return m
}

// pageOf returns the address of a session on the server's page, or "" if the page has no
// address.
func pageOf(page, session string) string {
	if page == "" {
		return ""
	}
	return page + "#session=" + url.QueryEscape(session)
}

// close stops all timers.
func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, s := range w.sessions {
		if s.timer != nil {
			s.timer.Stop()
		}
	}
}
