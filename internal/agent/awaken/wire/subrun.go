package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// maxSubruns limits the sub-agent runs that are remembered.
const maxSubruns = 64

// A subrun is a sub-agent's run within the decoded run. callID identifies it
// as a tool call.
type subrun struct{ id, callID string }

type subruns struct{ list []subrun }

func (s *subruns) add(id string) subrun {
	if len(s.list) >= maxSubruns {
		s.list = slices.Delete(s.list, 0, 1)
	}
	r := subrun{id, "run:" + id}
	s.list = append(s.list, r)
	return r
}

// find returns the sub-agent's run with this id.
func (s *subruns) find(id string) (subrun, bool) {
	for _, r := range s.list {
		if r.id == id {
			return r, true
		}
	}
	return subrun{}, false
}

func (s *subruns) end(id string) {
	s.list = slices.DeleteFunc(s.list, func(r subrun) bool { return r.id == id })
}

// of returns the run that an event's envelope names, if it is a sub-agent's.
func (s *subruns) of(l *dialect.Line) (subrun, bool) {
	if len(s.list) == 0 {
		return subrun{}, false
	}
	id := runOf(l)
	if id == "" {
		return subrun{}, false
	}
	return s.find(id)
}

// parent returns the parent of the calls in an event, or "".
func (s *subruns) parent(l *dialect.Line) string {
	r, _ := s.of(l)
	return r.callID
}
