package notify

import (
	"maps"
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// pollPeriod is how often a session with news is checked for an active client. A client
// that loses its connection causes no event.
const pollPeriod = 2 * time.Second

// A session is what a watcher knows about a session. The watcher's mutex guards it.
type session struct {
	title    string
	began    time.Time         // when the running turn began; zero if none runs
	requests map[int64]request // unanswered, by number
	end      *turnEnd          // of the last turn; nil if a client saw it
	absent   time.Time         // since when no client is active; zero if one is
	told     []int64           // by target: the last request when it was notified
	timer    *time.Timer       // nil if nothing needs to be told
}

// A request waits for an answer.
type request struct {
	since    time.Time
	question bool
}

// A turnEnd is the end of a turn that no client has seen.
type turnEnd struct {
	event string // config.NotifyEnded or config.NotifyFailed
	took  time.Duration
	told  map[int]bool // by target
}

// News are something that a target wants, and that it was not told.
type news struct {
	event    string
	question bool
	upTo     int64     // the session's last request
	due      time.Time // zero while a client is active
}

// seen records whether a client was active.
func (s *session) seen(active int, now time.Time) {
	switch {
	case active > 0:
		s.absent, s.end = time.Time{}, nil
	case s.absent.IsZero():
		s.absent = now
	}
}

// ended records the end of a turn, unless a client saw it or the user caused it.
func (s *session) ended(e hub.Event, now time.Time) {
	took := now.Sub(s.began)
	if e.Running == 0 {
		s.began = time.Time{}
	}
	switch {
	case e.Active > 0 || e.Outcome == hub.Cancelled:
	case e.Outcome == hub.Failed:
		s.end = &turnEnd{event: config.NotifyFailed, took: took, told: make(map[int]bool)}
	case e.Running == 0:
		s.end = &turnEnd{event: config.NotifyEnded, took: took, told: make(map[int]bool)}
	}
}

// news returns what a target doesn't know yet. A target gets only the oldest request, and
// the next new one after that was answered.
func (s *session) news(i int, t *target) (all []news) {
	if t.wants(config.NotifyWaits) && len(s.requests) > 0 {
		numbers := slices.Sorted(maps.Keys(s.requests))
		oldest, last := numbers[0], numbers[len(numbers)-1]
		if r := s.requests[oldest]; oldest > s.told[i] {
			all = append(all, news{event: config.NotifyWaits, question: r.question, upTo: last, due: s.due(r.since, t.after)})
		}
	}
	if e := s.end; e != nil && t.wants(e.event) && !e.told[i] && (e.event == config.NotifyFailed || e.took >= t.after) {
		all = append(all, news{event: e.event, due: s.due(s.absent, t.after)})
	}
	return all
}

// due returns the time for a notification about something that is true since a time, or
// the zero time while a client is active.
func (s *session) due(since time.Time, after time.Duration) time.Time {
	switch {
	case s.absent.IsZero():
		return time.Time{}
	case s.absent.After(since):
		since = s.absent
	}
	return since.Add(after)
}

// markTold records that a target was told.
func (s *session) markTold(i int, n news) {
	if n.event == config.NotifyWaits {
		s.told[i] = n.upTo
	} else {
		s.end.told[i] = true
	}
}
