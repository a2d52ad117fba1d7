package sim

import (
	"fmt"
	"slices"
)

// placesLaw: a message of an ACP agent that names no session keeps its place. Text that the agent
// wrote before is shown before, and text that it wrote later is shown later. An event reaches each
// connected client once, after the initialize response. There are exceptions. Over HTTP, ACP has
// a stream for each session and one for everything else, which don't wait for each other. A client
// that connects again to a server that no longer knows it misses what was written meanwhile, but
// gets nothing twice; the text of its sessions may come later then, because they are opened again.
// Nor does it matter in which pieces a client gets the rest of a session that it asked to leave.
type placesLaw struct {
	now   int                   // numbers texts, events and requests
	at    map[string]int        // by piece
	by    map[string]*actor     // by piece: the agent that said it
	all   map[string]*placed    // by the event, or the request's id
	owed  map[*client][]*placed // the events that the client must still get
	last  map[track]*placed     // the last message that the client was shown
	texts map[track]int         // the place of the last piece that the client was shown
}

// A track is what a client is shown of a program.
type track struct {
	client *client
	by     *actor
}

// A placed message is an event or a request without a session.
type placed struct {
	name  string
	by    *actor
	at    int
	views []*view // of the clients that were attached
}

func newPlaces() law {
	return &placesLaw{
		at: make(map[string]int), by: make(map[string]*actor), all: make(map[string]*placed),
		owed: make(map[*client][]*placed), last: make(map[track]*placed), texts: make(map[track]int),
	}
}

func (*placesLaw) name() string { return "messages without a session keep their place" }

func (l *placesLaw) see(w *World, e *event) error {
	l.now++
	switch {
	case e.kind == said:
		l.at[e.subject], l.by[e.subject] = l.now, e.actor
	case e.kind == announced, e.kind == polled:
		l.place(w, e)
	case e.kind == shown && e.message.Method == methodEvent:
		return l.show(e.client, e.message.params.Announcement)
	case e.kind == shown && e.message.Method == methodPoll:
		return l.show(e.client, e.message.params.Poll)
	case e.kind == shown:
		for _, piece := range e.fresh {
			if err := l.checkPiece(e, piece); err != nil {
				return err
			}
		}
	case e.kind == rested:
		for _, c := range w.clients {
			if owed := l.owed[c]; len(owed) > 0 && c.isConnected() {
				return fmt.Errorf("%s never gets the event %s", c.name, owed[0].name)
			}
		}
	}
	return nil
}

// place notes the place of a message, and who must get it.
func (l *placesLaw) place(w *World, e *event) {
	p := &placed{name: e.subject, by: e.actor, at: l.now}
	l.all[e.subject] = p
	for _, c := range w.clients {
		if !c.isServedBy(p.by) || !c.isConnected() {
			continue
		}
		if e.kind == announced {
			l.owed[c] = append(l.owed[c], p)
		}
		for _, id := range sortedKeys(c.views) {
			if v := c.views[id]; v.ready && !v.unclear {
				p.views = append(p.views, v)
			}
		}
	}
}

// show checks a message without a session that a client is shown.
func (l *placesLaw) show(c *client, name string) error {
	p := l.all[name]
	switch {
	case p == nil:
		return fmt.Errorf("%s is shown %s, which no agent wrote", c.name, name)
	case !c.isServedBy(p.by):
		return fmt.Errorf("%s is shown %s of a program that does not work for it", c.name, name)
	case !c.greeted:
		return fmt.Errorf("%s is shown %s before the initialize response", c.name, name)
	}
	on := track{c, p.by}
	if before := l.last[on]; before != nil && before.at >= p.at {
		return fmt.Errorf("%s is shown %s after %s", c.name, name, before.name)
	}
	if l.texts[on] > p.at && !c.isLoose() {
		return fmt.Errorf("%s is shown %s after text that followed it", c.name, name)
	}
	for _, other := range l.owed[c] {
		if other.by == p.by && other.at < p.at && c.forgets == 0 {
			return fmt.Errorf("%s is shown %s, but not %s", c.name, name, other.name)
		}
	}
	l.last[on] = p
	l.owed[c] = slices.DeleteFunc(l.owed[c], func(other *placed) bool { return other == p })
	return nil
}

// isLoose reports whether the order of the client's sessions and of what belongs to none is
// undefined.
func (c *client) isLoose() bool { return c.streams || c.forgets > 0 }

// checkPiece checks the place of a piece of text that a client is shown.
func (l *placesLaw) checkPiece(e *event, piece string) error {
	c, at := e.client, l.at[piece]
	if c.isLoose() {
		return nil
	}
	v, on := c.views[e.session], track{c, l.by[piece]}
	if v != nil && v.isLeaving() {
		return nil
	}
	if p := l.last[on]; p != nil && p.at > at && slices.Contains(p.views, v) && !v.unclear {
		return fmt.Errorf("%s is shown %s after %s, which followed it", c.name, piece, p.name)
	}
	for _, p := range l.owed[c] {
		if p.by == on.by && p.at < at {
			return fmt.Errorf("%s is shown %s before the event %s, which preceded it", c.name, piece, p.name)
		}
	}
	l.texts[on] = max(l.texts[on], at)
	return nil
}

func (*placesLaw) end(*World) error { return nil }
