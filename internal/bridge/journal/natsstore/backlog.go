package natsstore

import "sync/atomic"

const (
	// maxHeld bounds one backlog, and maxAllHeld all of them together, in bytes.
	maxHeld    = 32 << 20
	maxAllHeld = 256 << 20
)

// A backlog holds what was appended to a session but is not being sent yet. The
// session's mutex guards it.
type backlog struct {
	unsent *atomic.Int64 // unsent bytes of all sessions
	head   []byte        // the header, if it was not added to text yet
	text   []byte
	title  *title
	marks  marks // closed once everything before them was sent, or never will be
}

// isFull reports whether too much is unsent.
func (b *backlog) isFull() bool { return len(b.text) > maxHeld || b.unsent.Load() > maxAllHeld }

// size returns the number of bytes that add would add.
func (b *backlog) size(lines []byte) int64 { return int64(len(b.head) + len(lines)) }

// add adds lines. The header precedes the first ones.
func (b *backlog) add(lines []byte) {
	b.unsent.Add(b.size(lines))
	b.text = append(append(b.text, b.head...), lines...)
	b.head = nil
}

// rename sets the title, except that an agent's title does not replace the user's.
func (b *backlog) rename(t title) {
	if b.title == nil || !b.title.ByUser || t.ByUser {
		b.title = &t
	}
}

// mark returns a channel that is closed once everything appended so far was sent, or never
// will be.
func (b *backlog) mark() <-chan struct{} {
	m := make(chan struct{})
	b.marks = append(b.marks, m)
	return m
}

// take removes and returns the contents. The text still counts as held until sent is
// called. The caller closes the marks.
func (b *backlog) take() (text []byte, t *title, marks marks) {
	text, t, marks = b.text, b.title, b.marks
	b.text, b.title, b.marks = nil, nil, nil
	return text, t, marks
}

// sent records that a text no longer waits. It needs no lock.
func (b *backlog) sent(text []byte) { b.unsent.Add(-int64(len(text))) }

// drop discards the contents.
func (b *backlog) drop() {
	b.sent(b.text)
	_, _, marks := b.take()
	marks.close()
}

// marks are channels to close together.
type marks []chan struct{}

func (m marks) close() {
	for _, one := range m {
		close(one)
	}
}
