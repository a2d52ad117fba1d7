package natsstore

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	// maxEmpty bounds a session that counts as empty, in bytes.
	maxEmpty = 1 << 20
	// fetchMessages is how many messages are fetched at once.
	fetchMessages = 1000
)

// An entry is a session in a list.
type entry struct {
	place   string
	state   state
	title   title // as set by Retitle
	changed time.Time
}

func (e entry) empty() bool {
	return e.title.Title == "" && !e.state.Prompted && e.state.Size <= maxEmpty
}

// newest compares entries; the most recently changed one is first.
func newest(a, b entry) int {
	return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.place, b.place))
}

// entries returns the sessions that a filter may select, newest first, and the errors
// about unreadable ones. It reads only the headers of the last messages.
func (a *archive) entries(q journal.Filter) (found []entry, unread []error, err error) {
	if err := a.conn.reachable(); err != nil {
		return nil, nil, err
	}
	ctx, cancel := a.conn.call()
	defer cancel()
	room := roomPlace(q.Agent, q.Cwd)
	consumer, err := a.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubjects: []string{recordsPrefix + room, titlesPrefix + room},
		DeliverPolicy:  jetstream.DeliverLastPerSubjectPolicy, AckPolicy: jetstream.AckNonePolicy,
		HeadersOnly: true, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list sessions: %w", err)
	}
	about := consumer.CachedInfo()
	defer func() {
		ctx, cancel := a.conn.call()
		defer cancel()
		if err := a.stream.DeleteConsumer(ctx, about.Name); err != nil {
			a.conn.log.Debug("a list consumer remains for a minute", "error", err)
		}
	}()
	byPlace := make(map[string]*entry)
	titles := make(map[string]title)
	for left := about.NumPending; left > 0; {
		batch, err := consumer.Fetch(int(min(left, fetchMessages)), jetstream.FetchMaxWait(readTimeout))
		if err != nil {
			return nil, nil, fmt.Errorf("list sessions: %w", err)
		}
		got := uint64(0)
		for m := range batch.Messages() {
			got++
			if place, ok := strings.CutPrefix(m.Subject(), titlesPrefix); ok {
				titles[place] = titleOf(m.Headers())
				continue
			}
			place := strings.TrimPrefix(m.Subject(), recordsPrefix)
			st, err := stateOf(m.Headers())
			if err != nil {
				unread = append(unread, fmt.Errorf("read session: %s: %w", m.Subject(), err))
				continue
			}
			meta, err := m.Metadata()
			if err != nil {
				return nil, nil, fmt.Errorf("list sessions: %w", err)
			}
			byPlace[place] = &entry{place: place, state: st, changed: st.changed(meta.Timestamp)}
		}
		if err := batch.Error(); err != nil || got == 0 {
			return nil, nil, fmt.Errorf("list sessions: %w", cmp.Or(err, errAway))
		}
		left -= min(got, left)
	}
	for place, e := range byPlace {
		e.title = titles[place]
		found = append(found, *e)
	}
	slices.SortFunc(found, newest)
	return found, unread, nil
}

// List implements [journal.Store].
func (s *Store) List(q journal.Filter) (journal.Page, error) {
	entries, unread, err := s.archive.entries(q)
	if err != nil {
		return journal.Page{}, err
	}
	var page journal.Page
	if q.Cursor == "" {
		page.Unread = unread
	} else {
		after, err := parseCursor(q.Cursor)
		if err != nil {
			return journal.Page{}, err
		}
		i, found := slices.BinarySearchFunc(entries, after, newest)
		if found {
			i++
		}
		entries = entries[i:]
	}
	entries = slices.DeleteFunc(entries, entry.empty)
	limit := cmp.Or(q.Limit, journal.DefaultLimit)
	for len(entries) > 0 && len(page.Sessions) < limit {
		some := entries[:min(len(entries), limit-len(page.Sessions))]
		entries = entries[len(some):]
		for _, d := range s.archive.describeAll(some) {
			switch {
			case errors.Is(d.err, journal.ErrNotFound): // it is being deleted
			case d.err != nil:
				page.Unread = append(page.Unread, d.err)
			case (q.Cwd == "" || d.Cwd == q.Cwd) && (q.Agent == "" || d.Agent == q.Agent):
				page.Sessions = append(page.Sessions, d.Summary)
			}
		}
		if len(entries) > 0 {
			page.Next = cursor(some[len(some)-1])
		} else {
			page.Next = ""
		}
	}
	return page, nil
}

type described struct {
	journal.Summary
	err error
}

// entry returns the session with an id.
func (a *archive) entry(id string) (entry, error) {
	m, err := a.find(id)
	if err != nil {
		return entry{}, err
	}
	st, err := stateOf(m.Header)
	if err != nil {
		return entry{}, fmt.Errorf("read session: %s: %w", m.Subject, err)
	}
	e := entry{place: m.Subject[len(recordsPrefix):], state: st, changed: st.changed(m.Time)}
	if t, err := a.last(titlesPrefix + e.place); err == nil {
		e.title = titleOf(t.Header)
	}
	return e, nil
}

// describeAll describes sessions concurrently. The result has the same order.
func (a *archive) describeAll(entries []entry) []described {
	all := make([]described, len(entries))
	forEach(len(all), func(i int) { all[i].Summary, all[i].err = a.describe(entries[i]) })
	return all
}

// describe returns the summary of a session.
func (a *archive) describe(e entry) (journal.Summary, error) {
	h, err := a.header(recordsPrefix + e.place)
	if err != nil {
		return journal.Summary{}, err
	}
	return journal.Summary{
		Header: h, Title: cmp.Or(e.title.Title, e.state.Title), Named: e.title.ByUser, Empty: e.empty(), Updated: e.changed, Size: e.state.Size,
	}, nil
}

// cursor returns a cursor that consists of the time and place of a page's last session.
func cursor(e entry) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s %s", e.changed.UTC().Format(time.RFC3339Nano), e.place))
}

func parseCursor(s string) (entry, error) {
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return entry{}, journal.ErrCursor
	}
	at, place, ok := strings.Cut(string(text), " ")
	changed, err := time.Parse(time.RFC3339Nano, at)
	if err != nil || !ok {
		return entry{}, journal.ErrCursor
	}
	return entry{place: place, changed: changed}, nil
}

// Outdated implements [journal.Keeper].
func (s *Store) Outdated(r journal.Retention, now time.Time) ([]journal.Summary, error) {
	entries, _, err := s.archive.entries(journal.Filter{})
	if err != nil {
		return nil, err
	}
	var total int64
	var old []entry
	for _, e := range entries {
		total += e.state.Size
		age := now.Sub(e.changed)
		if !r.Keeps(age, total) || age > journal.EmptyAge && e.empty() {
			old = append(old, e)
		}
	}
	var outdated []journal.Summary
	for _, d := range s.archive.describeAll(old) {
		if d.err == nil { // otherwise it is not ours
			outdated = append(outdated, d.Summary)
		}
	}
	return outdated, nil
}
