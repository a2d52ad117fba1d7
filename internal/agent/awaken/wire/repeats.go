package wire

import (
	"hash/maphash"
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxMarks limits the events of a turn that are remembered.
const maxMarks = 1 << 18

// permissionRequested is the kind of the fact that repeats a suspension.
const permissionRequested = "ToolPermissionRequested"

// repeats recognises repeated events in a turn. The event store repeats the
// events of a run's stream in the same order, but with object members in a
// different order. It may omit events, because it need not store those that
// are only observed.
//
// An event is identified by a mark: the sum of the hashes of its string
// members.
type repeats struct {
	seed     maphash.Seed
	marks    []uint64
	unmarked int // number of events after the last mark
	// How far the store has repeated the marked events, and whether it has
	// reached new ones.
	next, nextUnmarked int
	fresh              bool
}

func newRepeats() *repeats { return &repeats{seed: maphash.MakeSeed()} }

// has reports whether an event is a repetition, and records it otherwise.
func (r *repeats) has(l *dialect.Line, event string) bool {
	mark := r.mark(l.Fields)
	if l.Form == factForm && !r.fresh {
		if l.Name == permissionRequested || event == "" {
			return r.next < len(r.marks) // one of the server's own facts, in addition to the run's events
		}
		if i := slices.Index(r.marks[r.next:], mark); i >= 0 {
			r.next += i + 1
			return true
		}
		if r.next == len(r.marks) && r.nextUnmarked < r.unmarked {
			r.nextUnmarked++
			return true
		}
		r.fresh = true
	}
	if len(r.marks) < maxMarks {
		r.marks = append(r.marks, mark)
	} else {
		r.unmarked++
	}
	return false
}

// rewind records that the store starts from the beginning.
func (r *repeats) rewind() { r.next, r.nextUnmarked, r.fresh = 0, 0, false }

func (r *repeats) mark(event *dialect.Fields) (sum uint64) {
	for key, v := range event.All() {
		if len(v) > 2 && v[0] == '"' {
			var h maphash.Hash
			h.SetSeed(r.seed)
			_, _ = h.Write(rawjson.Body(key))
			_ = h.WriteByte(0)
			_, _ = h.Write(v)
			sum += h.Sum64()
		}
	}
	return sum
}
