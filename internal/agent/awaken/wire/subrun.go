package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// maxSubruns bounds the runs of sub-agents that are remembered.
const maxSubruns = 64

// A subrun is the run of a sub-agent within the run that is shown. Its callID
// names it as a tool call.
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

// find returns the run of a sub-agent.
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

// of is the run that the envelope of an event names, if that is a sub-agent's.
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

// parent is the call that the calls of an event belong to.
func (s *subruns) parent(l *dialect.Line) string {
	r, _ := s.of(l)
	return r.callID
}
