package hub

import (
	"slices"
	"sort"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// foldBytes and foldChanges are how much is added before a history is folded.
	foldBytes   = 256 << 10
	foldChanges = 2 << 10
	// maxHistory bounds the part of a history that is in memory, in bytes. Its oldest
	// changes go to the shelf. It also bounds the history in an answer: a line has to be
	// short enough to be read.
	maxHistory = 4 << 20
	// maxUnshelved bounds it where the shelf has no room. Then the oldest changes are
	// forgotten.
	maxUnshelved = 64 << 20
)

// A history is the changes of a session, in order. A snapshot of the session is
// the history folded; see [fold].
type history struct {
	shelf   shelf // the oldest changes
	changes []change
	last    int64 // number of the last change
	size    int   // bytes
	// What there was after it was last folded.
	foldedSize, foldedCount int
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

// wantsFold reports whether enough was added since the history was folded, so that
// all folding together costs no more than a few passes over it.
func (h *history) wantsFold() bool {
	return h.size-h.foldedSize > max(foldBytes, h.foldedSize) || len(h.changes)-h.foldedCount > max(foldChanges, h.foldedCount)
}

// fold folds what lies between cursors, which are numbers of changes in any order:
// who stands at a cursor has got what is before it as it was, and gets the rest.
// What is too much for the memory is put on the shelf. lost is how many changes that has
// no room for.
func (h *history) fold(cursors []int64) (lost int) {
	slices.Sort(cursors)
	var all []change
	rest := h.changes
	for _, c := range cursors {
		n := sort.Search(len(rest), func(i int) bool { return rest[i].seq > c })
		all = append(all, fold(rest[:n])...)
		rest = rest[n:]
	}
	all = append(all, fold(rest)...)
	if n := tooMuch(all, maxHistory); n > 0 {
		all = all[n-h.shelf.put(all[:n]):]
		lost = tooMuch(all, maxUnshelved)
		all = slices.Clone(all[lost:]) // so that nothing keeps the others
	}
	h.changes, h.size = all, sizeOf(all)
	h.foldedSize, h.foldedCount = h.size, len(all)
	return lost
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
