package awaken

import (
	"hash/maphash"
	"slices"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxMarks bounds what is remembered of the events of a turn.
const maxMarks = 1 << 18

// seen knows the events of a turn again. What the stream of a run has said the
// event store says once more, in the same order, with the members of objects
// in another; it may leave out some (it need not keep those that are only
// observed).
//
// An event is known by a mark: the sum of the hashes of its members that are
// strings.
type seen struct {
	seed  maphash.Seed
	marks []uint64
	more  int // events behind the last mark
	// How far the store has repeated that, and whether it has gone on to what
	// is new.
	next, nextMore int
	fresh          bool
}

// before tells whether an event was taken before, and else remembers it.
func (s *seen) before(m *message) bool {
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	mark := s.mark(m)
	if m.form == factForm && !s.fresh {
		if string(m.kind) == "ToolPermissionRequested" || m.name == nil {
			return s.next < len(s.marks) // of the server's own, beside what the run says
		}
		if i := slices.Index(s.marks[s.next:], mark); i >= 0 {
			s.next += i + 1
			return true
		}
		if s.next == len(s.marks) && s.nextMore < s.more {
			s.nextMore++
			return true
		}
		s.fresh = true
	}
	if len(s.marks) < maxMarks {
		s.marks = append(s.marks, mark)
	} else {
		s.more++
	}
	return false
}

// rewind says that the store begins anew.
func (s *seen) rewind() { s.next, s.nextMore, s.fresh = 0, 0, false }

func (s *seen) mark(m *message) uint64 {
	var sum uint64
	o := rawjson.Walk(m.body)
	for {
		key, value, ok := o.Next()
		if !ok {
			return sum
		}
		if text := body(value); text != nil {
			var h maphash.Hash
			h.SetSeed(s.seed)
			_, _ = h.Write(key)
			_ = h.WriteByte(0)
			_, _ = h.Write(text)
			sum += h.Sum64()
		}
	}
}
