package awaken

import "slices"

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

func (s *subruns) find(id string) *subrun {
	for i := range s.list {
		if s.list[i].id == id {
			return &s.list[i]
		}
	}
	return nil
}

func (s *subruns) end(id string) {
	s.list = slices.DeleteFunc(s.list, func(r subrun) bool { return r.id == id })
}

// of is the sub-agent's run that an envelope names, nil where it names none or
// the run that is shown.
func (s *subruns) of(m *message) *subrun {
	if len(s.list) == 0 || m.run == nil {
		return nil
	}
	return s.find(string(m.run))
}

// parent is the call that the calls of an event belong to.
func (s *subruns) parent(m *message) string {
	if r := s.of(m); r != nil {
		return r.callID
	}
	return ""
}
