package sim

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// noticedLaw: who is notified of a server's turns and requests, such as the page that is closed, hears
// of each of them once when it begins and once when it ends.
type noticedLaw struct {
	running map[*server]map[string]int            // by session
	open    map[*server]map[string]map[int64]bool // by session: its requests
}

func newNoticed() law {
	return &noticedLaw{make(map[*server]map[string]int), make(map[*server]map[string]map[int64]bool)}
}

const noticed = "each turn and request is reported once"

func (*noticedLaw) name() string { return noticed }

// notice handles what a server reports.
func (l *noticedLaw) notice(s *server, e *hub.Event) error {
	if l.running[s] == nil {
		l.running[s], l.open[s] = make(map[string]int), make(map[string]map[int64]bool)
	}
	if l.open[s][e.Session] == nil {
		l.open[s][e.Session] = make(map[int64]bool)
	}
	open := l.open[s][e.Session]
	switch e.Kind {
	case hub.TurnBegan:
		l.running[s][e.Session]++
	case hub.TurnEnded:
		l.running[s][e.Session]--
	case hub.RequestOpened:
		if open[e.Request] {
			return fmt.Errorf("the request %d of session %s is reported twice", e.Request, e.Session)
		}
		open[e.Request] = true
	case hub.RequestClosed:
		if !open[e.Request] {
			return fmt.Errorf("the end of request %d of session %s is reported, but not its beginning", e.Request, e.Session)
		}
		delete(open, e.Request)
	}
	if n := l.running[s][e.Session]; n != e.Running {
		return fmt.Errorf("%d turns of session %s are reported, but %d run", n, e.Session, e.Running)
	}
	return nil
}

func (l *noticedLaw) see(w *World, e *event) error {
	if e.kind != rested {
		return nil
	}
	for _, s := range w.servers() {
		for _, id := range sortedKeys(l.running[s]) {
			if n := l.running[s][id]; n != 0 {
				return fmt.Errorf("the end of %d turns of session %s was not reported", n, id)
			}
		}
	}
	return nil
}

func (*noticedLaw) end(*World) error { return nil }

// notice shows the laws what a server reports.
func (w *World) notice(s *server, e *hub.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.laws {
		if of, is := l.(*noticedLaw); is && !s.killed && w.failure == nil {
			if err := of.notice(s, e); err != nil {
				w.failLocked(l.name(), err)
			}
		}
	}
}
