package wire

import (
	"hash/maphash"
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxMarks bounds what is remembered of the events of a turn.
const maxMarks = 1 << 18

// permissionRequested is the kind of the fact that repeats a suspension.
const permissionRequested = "ToolPermissionRequested"

// repeats knows the events of a turn again. The event store repeats what the
// stream of a run has said, in the same order, but with the members of objects
// in another. It may leave out events (it need not keep those that are only
// observed).
//
// An event is known by a mark: the sum of the hashes of its members that are
// strings.
type repeats struct {
	seed     maphash.Seed
	marks    []uint64
	unmarked int // events after the last mark
	// How far the store has repeated those, and whether it has gone on to new
	// ones.
	next, nextUnmarked int
	fresh              bool
}

func newRepeats() *repeats { return &repeats{seed: maphash.MakeSeed()} }

// has reports whether an event was said before, and else remembers it.
func (r *repeats) has(l *dialect.Line, event string) bool {
	mark := r.mark(l.Fields)
	if l.Form == factForm && !r.fresh {
		if l.Name == permissionRequested || event == "" {
			return r.next < len(r.marks) // of the server's own, beside what the run says
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

// rewind says that the store begins anew.
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
