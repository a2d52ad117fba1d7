package wire

import "slices"

// maxSuspended bounds the suspensions that are open at once.
const maxSuspended = 256

// A Phase says how far a run is.
type Phase int

// The phases of a run.
const (
	Running   Phase = iota // or not begun
	Suspended              // it waits for decisions, and its stream ends
	Ended
)

// A Run is what is known of the run whose events are decoded, at one moment.
type Run struct {
	ID, Thread string // as the server names them
	Older      bool   // its events came in the older form
	Phase      Phase
	Waiting    []Suspension // what the user is asked
	Abandoned  bool         // the turn is over, and the run waits all the same
}

// Unfinished reports whether the run may still work or wait.
func (r Run) Unfinished() bool { return r.Phase != Ended || r.Abandoned }

// Find returns the open suspension of an id, else the first one of a call.
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

// Permissions lists the open permissions for a call.
func (r Run) Permissions(callID string) (list []Suspension) {
	for _, s := range r.Waiting {
		if s.Permission && s.CallID == callID {
			list = append(list, s)
		}
	}
	return list
}

// Target is the name by which a server knows a suspension: its call's, unless
// that is another one's too.
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

// begin notes that a run starts. It reports whether that goes on with the turn
// of the last one: then it is resumed.
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

// wait notes that the run is suspended.
func (s *State) wait() {
	r := s.run
	r.Phase = Suspended
	s.setRun(r)
}

// end notes that the run, or at least its turn, has ended.
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

// suspend notes what the user is asked, once. It is not taken where it is known
// already, or where too many are open.
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

// settle forgets a suspension, and returns it.
func (s *State) settle(id string) (Suspension, bool) {
	found, ok := s.run.Find(id)
	if ok {
		r := s.run
		r.Waiting = slices.DeleteFunc(slices.Clone(r.Waiting), func(o Suspension) bool { return o.ID == found.ID })
		s.setRun(r)
	}
	return found, ok
}
