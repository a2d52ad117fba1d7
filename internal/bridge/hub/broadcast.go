package hub

import "slices"

const (
	// maxMarks bounds the marks of an attachment at which folding stops, so that the history
	// stays small while a client does not read. Beyond it, a notification may follow text that
	// the agent wrote later.
	maxMarks = 512
	// markSize is what a mark takes in an outbox, in bytes. Without it, a client that does
	// not read could make the outbox grow without limit.
	markSize = 64
)

// broadcast sends a line without a session to all initialized clients, each after the changes
// so far of the source's sessions that it follows. The caller holds the lock.
func (u *upstream) broadcast(l []byte) {
	for _, cl := range u.hub.clients {
		if cl.initialized {
			cl.catchUp(u)
			cl.enqueue(line(l))
		}
	}
}

// catchUp makes the client get the changes so far of a source's sessions before everything
// that is queued later.
func (cl *client) catchUp(u *upstream) {
	for _, a := range cl.out.dirty {
		if a.session.comesFrom(u) {
			a.mark()
		}
	}
}

// mark makes the client get the session's changes so far before everything that is queued
// later.
func (a *attachment) mark() {
	last := a.session.history.last
	if last <= max(a.sent, a.marked) {
		return
	}
	if a.marked = last; len(a.marks) < maxMarks {
		a.marks = append(a.marks, last)
	}
	a.client.enqueue(message{size: markSize, session: a, after: last, obsolete: func() bool {
		now := a.client.attached[a.session.id]
		return now != nil && now != a // the client gets the history again
	}})
}

// passed drops the marks up to the last change that was sent.
func (a *attachment) passed() {
	n, found := slices.BinarySearch(a.marks, a.sent)
	if found {
		n++
	}
	a.marks = slices.Delete(a.marks, 0, n)
}
