package hub

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// tailBytes and tailChanges bound the tail of a history, which isn't folded yet.
	tailBytes   = 32 << 10
	tailChanges = 128
	// growthBytes is the least that a history grows before it is folded as a whole.
	growthBytes = 256 << 10
	// maxHistory bounds the part of a history that is in memory, in bytes. Its oldest
	// changes go to the shelf. It also bounds the history in an answer: a line has to be
	// short enough to be read.
	maxHistory = 4 << 20
	// minHistory is the least that maxHistory becomes if many sessions are open, which
	// share maxHistories.
	minHistory   = 32 << 10
	maxHistories = 32 << 20
	// unshelved is how many times as much stays in memory if the shelf is full. Then the
	// oldest changes are forgotten.
	unshelved = 16
)

// historyShare returns how much of each history stays in memory, in bytes, if so many
// sessions are open.
func historyShare(sessions int) int {
	return min(maxHistory, max(minHistory, maxHistories/max(sessions, 1)))
}

// A history is the changes of a session, in order. A snapshot of the session is the
// folded history; see [fold].
//
// Many sessions stream at once, so the tail is folded often: an unfolded change takes
// twenty times the memory of its text. Only folding the whole merges a tool call with an
// update that comes much later. That costs a pass over everything, and so it happens when
// the size has doubled.
type history struct {
	shelf    shelf // the oldest changes
	changes  []change
	last     int64 // number of the last change
	size     int   // bytes
	tail     int   // index of the first unfolded change
	tailFrom int   // size without the tail
	whole    int   // size after the whole was folded
	limit    int   // of size; 0 means maxHistory
}

// add appends a change, which gets the next number.
func (h *history) add(c change) {
	h.last++
	c.seq = h.last
	if c.times.At == 0 {
		c.times = v1.TimesAt(time.Now().UnixMilli())
	}
	h.changes = append(h.changes, c)
	h.size += len(c.line)
}

// after returns the changes after the one with the number seq.
func (h *history) after(seq int64) []change {
	if n := len(h.changes); n == 0 || h.changes[n-1].seq <= seq {
		return nil
	}
	return h.changes[sort.Search(len(h.changes), func(i int) bool { return h.changes[i].seq > seq }):]
}

// hasLongTail reports whether enough was added to fold it.
func (h *history) hasLongTail() bool {
	return len(h.changes)-h.tail > tailChanges || h.size-h.tailFrom > tailBytes
}

// foldTail folds the tail, or the whole history if that has doubled or is too much for
// the memory. See fold.
func (h *history) foldTail(cursors []int64) (lost int) {
	if h.size > h.room() || h.size-h.whole > max(growthBytes, h.whole) {
		return h.fold(cursors)
	}
	from := max(h.tail-1, 0) // its text may go on
	h.size -= sizeOf(h.changes[from:])
	tail := foldBetween(h.changes[from:], cursors)
	h.size += sizeOf(tail)
	if cap(h.changes) > 4*(from+len(tail)) {
		h.changes = slices.Clone(h.changes[:from])
	}
	clear(h.changes[from:])
	h.changes = append(h.changes[:from], tail...)
	h.tail, h.tailFrom = len(h.changes), h.size
	return 0
}

// fold folds the changes between cursors, which are numbers of changes in any order: a
// client at a cursor got the changes before it unfolded, and gets the rest. What exceeds
// the memory goes to the shelf. lost is how many changes had no room there.
func (h *history) fold(cursors []int64) (lost int) {
	all := foldBetween(h.changes, cursors)
	if room := h.room(); sizeOf(all) > room {
		n := tooMuch(all, room*3/4)
		all = all[n-h.shelf.put(all[:n]):]
		lost = tooMuch(all, room*unshelved)
		all = slices.Clone(all[lost:]) // so that nothing refers to the others
	}
	h.changes, h.size = all, sizeOf(all)
	h.tail, h.tailFrom, h.whole = len(all), h.size, h.size
	return lost
}

func (h *history) room() int { return cmp.Or(h.limit, maxHistory) }

// foldBetween folds what is between cursors.
func foldBetween(changes []change, cursors []int64) (all []change) {
	slices.Sort(cursors)
	for _, c := range cursors {
		n := sort.Search(len(changes), func(i int) bool { return changes[i].seq > c })
		all = append(all, fold(changes[:n])...)
		changes = changes[n:]
	}
	return append(all, fold(changes)...)
}

// tooMuch returns how many changes to take from the front so that the others fit into a
// limit, in bytes. The last one stays in any case.
func tooMuch(changes []change, limit int) (n int) {
	for size := sizeOf(changes); size > limit && n < len(changes)-1; n++ {
		size -= len(changes[n].line)
	}
	return n
}

func sizeOf(changes []change) (size int) {
	for i := range changes {
		size += len(changes[i].line)
	}
	return size
}

// replay returns what is in memory as a list of notifications, folded. timed adds the
// times of updates.
func (h *history) replay(timed bool) []byte {
	folded := fold(h.changes)
	first, size := len(folded), 0
	for first > 0 && size+len(folded[first-1].line) <= maxHistory {
		first--
		size += len(folded[first].line)
	}
	const timesRoom = 96 // more than the times of an update take
	all := append(make([]byte, 0, size+timesRoom*(len(folded)-first)), '[')
	for i, c := range folded[first:] {
		if i > 0 {
			all = append(all, ',')
		}
		all = append(all, rawmsg.Without(c.appendTo(nil, timed), "jsonrpc")...)
	}
	return append(all, ']')
}
