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
	// tailBytes and tailChanges bound the unfolded tail of a history.
	tailBytes   = 32 << 10
	tailChanges = 128
	// growthBytes is the minimum growth before the whole history is folded.
	growthBytes = 256 << 10
	// maxHistory bounds the part of a history in memory, in bytes. Its oldest changes
	// are moved to the shelf. It also bounds the history in a response, because peers
	// refuse longer lines.
	maxHistory = 4 << 20
	// If many sessions are open, they share maxHistories, and each gets at least
	// minHistory.
	minHistory   = 32 << 10
	maxHistories = 32 << 20
	// unshelved multiplies the limit if the shelf is full. Beyond it, the oldest changes
	// are dropped.
	unshelved = 16
)

// historyShare returns the memory limit of each history, in bytes, for a number of open
// sessions.
func historyShare(sessions int) int {
	return min(maxHistory, max(minHistory, maxHistories/max(sessions, 1)))
}

// A history holds a session's changes, in order. A snapshot of the session is the
// folded history; see [fold].
//
// The tail is folded often, because an unfolded change takes twenty times the memory of
// its text and many sessions may stream at once. Merging a tool call with a much later
// update requires folding the whole history, so that happens each time its size doubles.
type history struct {
	shelf    shelf // the oldest changes
	early    earlyDecisions
	latest   latest
	changes  []change
	last     int64 // number of the last change
	size     int   // bytes
	tail     int   // index of the first unfolded change
	tailFrom int   // size without the tail
	whole    int   // size after the whole was folded
	limit    int   // of size; 0 means maxHistory
}

// add appends a change and gives it the next number.
func (h *history) add(c change) {
	h.last++
	c.seq = h.last
	if c.times.At == 0 {
		c.times = v1.TimesAt(time.Now().UnixMilli())
	}
	h.latest.note(&c)
	h.changes = append(h.changes, c)
	h.size += len(c.line)
	if decision, ok := h.early.take(&c); ok {
		h.add(decision)
	}
}

// clear drops what the source showed before a client opened the session. The history that the
// source shows next contains that.
func (h *history) clear() {
	h.shelf.renew()
	*h = history{shelf: h.shelf, last: h.last}
}

// after returns the changes with numbers above seq.
func (h *history) after(seq int64) []change {
	if n := len(h.changes); n == 0 || h.changes[n-1].seq <= seq {
		return nil
	}
	return h.changes[sort.Search(len(h.changes), func(i int) bool { return h.changes[i].seq > seq }):]
}

// hasLongTail reports whether the tail is long enough to fold.
func (h *history) hasLongTail() bool {
	return len(h.changes)-h.tail > tailChanges || h.size-h.tailFrom > tailBytes
}

// foldTail folds the tail, or the whole history if its size has doubled or exceeds the
// memory limit. See fold.
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

// fold folds the changes between cursors, which are change numbers in any order. A
// client at a cursor has received the changes before it in their old form, and gets the
// rest folded. Changes that exceed the memory limit go to the shelf. lost is the number
// of changes that fit in neither.
func (h *history) fold(cursors []int64) (lost int) {
	all := foldBetween(h.changes, cursors)
	if room := h.room(); sizeOf(all) > room {
		n := tooMuch(all, room/2)
		all = all[n-h.shelf.add(all[:n]):]
		lost = tooMuch(all, room*unshelved)
		all = slices.Clone(all[lost:]) // so that the dropped changes are freed
	}
	h.changes, h.size = all, sizeOf(all)
	h.tail, h.tailFrom, h.whole = len(all), h.size, h.size
	return lost
}

func (h *history) room() int { return cmp.Or(h.limit, maxHistory) }

// foldBetween folds the changes between cursors.
func foldBetween(changes []change, cursors []int64) (all []change) {
	slices.Sort(cursors)
	for _, c := range cursors {
		n := sort.Search(len(changes), func(i int) bool { return changes[i].seq > c })
		all = append(all, fold(changes[:n])...)
		changes = changes[n:]
	}
	return append(all, fold(changes)...)
}

// tooMuch returns how many changes to remove from the front so that the rest fits into
// limit, in bytes. It never removes the last change.
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

// replay returns the changes in memory, folded, as a JSON array of notifications. If the
// latest commands and usage are older, it begins with them. timed adds the times of updates.
func (h *history) replay(timed bool) []byte {
	folded := fold(h.changes)
	first, size := len(folded), 0
	for first > 0 && size+len(folded[first-1].line) <= maxHistory {
		first--
		size += len(folded[first].line)
	}
	shown := folded[first:]
	if len(shown) > 0 {
		shown = slices.Concat(h.latest.before(shown[0].seq), shown)
	}
	const timesRoom = 96 // more than an update's times need
	all := append(make([]byte, 0, size+timesRoom*len(shown)), '[')
	for i, c := range shown {
		if i > 0 {
			all = append(all, ',')
		}
		all = append(all, rawmsg.Without(c.appendTo(nil, timed), "jsonrpc")...)
	}
	return append(all, ']')
}
