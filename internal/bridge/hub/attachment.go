package hub

import (
	"errors"
	"os"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

// An attachment is a client's position in a session's history. The hub's mutex guards
// it.
type attachment struct {
	client   *client
	session  *session
	since    int64 // the number of the last change before it was attached
	sent     int64 // the number of the last change sent to it
	dirty    bool  // it is in its outbox's list of sessions with changes
	aware    bool  // the client used session/attach
	observer bool
	marks    []int64 // numbers of changes between which folding must not merge, ascending
	marked   int64   // the number of the last change that a mark in the outbox is behind
	recalled int64   // the number of the last change that it got in a response with the history
}

// attach attaches a client, which gets the changes after number from.
func (s *session) attach(cl *client, from int64) *attachment {
	if old := cl.attached[s.id]; old != nil {
		old.detach()
	}
	a := &attachment{client: cl, session: s, since: s.history.last, sent: from, observer: cl.From.Watches || cl.observes[s.id]}
	cl.attached[s.id] = a
	s.attached = append(s.attached, a)
	if s.idle != nil {
		s.idle.Stop()
		s.idle = nil
	}
	if from < s.history.last {
		s.fold(s.history.fold)
		cl.out.markDirty(a)
	}
	return a
}

// shelf returns the oldest part of the session's history.
func (a *attachment) shelf() *shelf { return &a.session.history.shelf }

// withdraw withdraws the session's requests to the client.
func (a *attachment) withdraw() {
	for of, k := range a.client.inOrder() {
		if k.session == a.session {
			k.forget(a.client, of)
		}
	}
}

// detach detaches the client from the session, and withdraws the session's requests to
// it.
func (a *attachment) detach() {
	cl, s := a.client, a.session
	if cl.attached[s.id] == a {
		delete(cl.attached, s.id)
	}
	s.attached = slices.DeleteFunc(s.attached, func(b *attachment) bool { return b == a })
	cl.out.drop(a)
	a.withdraw()
	s.mayClose()
}

// leaveAloud detaches the client and tells the others.
func (a *attachment) leaveAloud() {
	a.detach()
	if len(a.session.attached) > 0 {
		a.session.tell(&core.ClientEvent{Kind: core.Left, By: a.client.id}, map[string]any{"clientId": a.client.id, "name": a.client.name})
	}
}

// show adds the changes up to a number to a batch. It returns false if the batch fills
// up before. The caller holds the lock.
func (a *attachment) show(b *batch, upTo int64) bool {
	for {
		record, last, ok := a.session.history.shelf.after(a.sent)
		if !ok || a.sent >= upTo {
			break
		}
		if b.size >= batchBytes {
			return false
		}
		a.client.out.willRead(a.shelf())
		b.add(a.shelved(record, upTo), shelfBatch)
		a.sent = min(last, upTo)
	}
	filter := a.filter()
	for _, c := range a.session.history.after(a.sent) {
		if c.seq > upTo {
			break
		}
		if b.size >= batchBytes {
			return false
		}
		a.sent = c.seq
		if filter.passes(&c) {
			if !filter.booleans {
				c = c.withoutBooleans(a.session.envelope)
			}
			id, timed, host := a.session.id, a.client.shows.times && (c.replayed || c.seq <= a.since), a.client.Host
			b.add(func(v core.View) { c.show(v, id, timed, host) }, len(c.line))
		}
	}
	a.sent = max(a.sent, upTo)
	a.passed()
	return true
}

// shelved returns a function that shows the changes of a record on the shelf, up to a
// number. The function reads them without the lock.
func (a *attachment) shelved(record int, upTo int64) func(core.View) {
	file, sent, filter := a.session.history.shelf.file, a.sent, a.filter()
	id, timed, host := a.session.id, a.client.shows.times, a.client.Host
	log, envelope := a.session.hub.log, a.session.envelope
	return func(v core.View) {
		changes, err := readShelf(file, record)
		if err != nil && !errors.Is(err, os.ErrClosed) {
			log.Warn("part of a long session cannot be shown", "session", id, "error", err)
		}
		for _, c := range changes {
			if c.seq > sent && c.seq <= upTo && filter.passes(&c) {
				if !filter.booleans {
					c = c.withoutBooleans(envelope)
				}
				c.show(v, id, timed && (c.replayed || c.seq <= filter.since), host)
			}
		}
	}
}

// A filter selects the changes for an attached client.
type filter struct {
	since  int64 // see attachment
	client string
	peer   bool // it is another server
	aware  bool // it wants to know what other clients do
	// cursors is set if it wants to know the session's cursors.
	cursors bool
	// booleans is set if it takes boolean options.
	booleans bool
}

func (a *attachment) filter() filter {
	return filter{a.since, a.client.id, a.client.Peer, a.aware || a.client.shows.turns, a.client.shows.cursors, a.client.shows.booleans}
}

func (f filter) passes(c *change) bool {
	own := c.author != "" && c.author == f.client && c.seq > f.since
	return !own && (!c.past || c.seq <= f.since) && (!c.aware || f.learns(c)) && (f.cursors || !c.isCursor())
}

// learns reports whether the client gets a change for clients that want to know about each
// other. Another server tells its clients about each other itself.
func (f filter) learns(c *change) bool {
	if f.peer {
		return f.aware && c.event != nil && c.event.By != f.client
	}
	return f.aware
}

// A client describes a client to others.
type clientInfo struct {
	ID   string `json:"clientId"`
	Name string `json:"name,omitempty"`
	Role string `json:"role,omitempty"`
}

const (
	roleController = "controller"
	roleObserver   = "observer"
)

func (a *attachment) info() clientInfo {
	c := clientInfo{ID: a.client.id, Name: a.client.name, Role: roleController}
	if a.observer {
		c.Role = roleObserver
	}
	return c
}
