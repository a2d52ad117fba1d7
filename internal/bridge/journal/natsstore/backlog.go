package natsstore

import "sync/atomic"

const (
	// maxHeld bounds a backlog, in bytes, and maxAllHeld all of them.
	maxHeld    = 32 << 20
	maxAllHeld = 256 << 20
)

// A backlog is what was appended to a session and is not on its way yet. The mutex of
// the session guards it.
type backlog struct {
	held  *atomic.Int64 // bytes that are not sent, of all sessions
	head  []byte        // the header, if it is not in text yet
	text  []byte
	title *title
}

// isFull reports whether too much waits to be sent.
func (b *backlog) isFull() bool { return len(b.text) > maxHeld || b.held.Load() > maxAllHeld }

// size returns how many bytes add would add.
func (b *backlog) size(lines []byte) int64 { return int64(len(b.head) + len(lines)) }

// add adds lines, after the header if they are the first.
func (b *backlog) add(lines []byte) {
	b.held.Add(b.size(lines))
	b.text = append(append(b.text, b.head...), lines...)
	b.head = nil
}

// rename notes a title, unless the user gave the one there is and not this one.
func (b *backlog) rename(t title) {
	if b.title == nil || !b.title.ByUser || t.ByUser {
		b.title = &t
	}
}

// take returns what there is. The text counts as held until it is sent.
func (b *backlog) take() (text []byte, t *title) {
	text, t = b.text, b.title
	b.text, b.title = nil, nil
	return text, t
}

// sent notes that a text does not wait any more. It needs no lock.
func (b *backlog) sent(text []byte) { b.held.Add(-int64(len(text))) }

// drop forgets what there is.
func (b *backlog) drop() {
	b.sent(b.text)
	b.text, b.title = nil, nil
}
