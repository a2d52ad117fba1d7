package wire

import "slices"

// maxSuspended limits the number of open suspensions.
const maxSuspended = 256

// A Phase is the progress of a run.
type Phase int

// The phases of a run.
const (
	Running   Phase = iota // or not started
	Suspended              // waiting for decisions; its stream ends
	Ended
)

// A Run is a snapshot of the state of the decoded run.
type Run struct {
	ID, Thread string // as the server names them
	Older      bool   // its events have the older form
	Phase      Phase
	Waiting    []Suspension // what the user is asked
	Abandoned  bool         // the turn is over, but the run still waits
}

// Unfinished reports whether the run may still be working or waiting.
func (r Run) Unfinished() bool { return r.Phase != Ended || r.Abandoned }

// Find returns the open suspension with this id, or else the first one of the
// call with this id.
func (r Run) Find(id string) (Suspension, bool) {
	for _, s := range r.Waiting {
		if s.ID == id {
			return s, true
		}
	}
	for _, s := range r.Waiting {
		if s.CallID == id {
			return s, true
		}
	}
	return Suspension{}, false
}

// Permissions returns the open permissions for a call.
func (r Run) Permissions(callID string) (list []Suspension) {
	for _, s := range r.Waiting {
		if s.Permission && s.CallID == callID {
			list = append(list, s)
		}
	}
	return list
}

// Target returns the name by which a server knows a suspension: its call's id,
// or its own id if the call has another suspension.
func (r Run) Target(s Suspension) string {
	for _, o := range r.Waiting {
		if o.ID != s.ID && o.CallID == s.CallID {
			return s.ID
		}
	}
	return s.CallID
}

func (s *State) setRun(r Run) {
	s.run = r
	if s.changed != nil {
		s.changed(r)
	}
}

// begin records that a run starts. It reports whether the run resumes the last
// one, and thus continues its turn.
func (s *State) begin(id, thread string, older bool) (resumed bool) {
	r := s.run
	resumed = s.next || r.ID != "" && r.ID == id && r.Phase != Ended
	if !resumed {
		r.Waiting = nil
	}
	if thread != "" {
		r.Thread = thread
	}
	r.ID, r.Older, r.Phase = id, older, Running
	s.next = false
	s.setRun(r)
	return resumed
}

// wait records that the run is suspended.
func (s *State) wait() {
	r := s.run
	r.Phase = Suspended
	s.setRun(r)
}

// end records that the run has ended, or at least its turn.
func (s *State) end(abandoned bool) {
	r := s.run
	r.Phase = Ended
	if abandoned {
		r.Abandoned = true
	} else {
		r.Waiting = nil
	}
	s.setRun(r)
}

// suspend records what the user is asked, once. taken is false if the
// suspension is already known or too many are open.
func (s *State) suspend(n Suspension) (known, taken bool) {
	r := s.run
	known = slices.ContainsFunc(r.Waiting, func(o Suspension) bool {
		return o.ID == n.ID || o.CallID == n.CallID && o.source != n.source
	})
	if known || len(r.Waiting) >= maxSuspended {
		return known, false
	}
	r.Waiting = append(slices.Clone(r.Waiting), n)
	s.setRun(r)
	return false, true
}

// settle removes a suspension, and returns it.
func (s *State) settle(id string) (Suspension, bool) {
	found, ok := s.run.Find(id)
	if ok {
		r := s.run
		r.Waiting = slices.DeleteFunc(slices.Clone(r.Waiting), func(o Suspension) bool { return o.ID == found.ID })
		s.setRun(r)
	}
	return found, ok
}
