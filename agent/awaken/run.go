package awaken

import (
	"slices"
	"sync"
)

// maxSuspended bounds the suspensions that are open at once.
const maxSuspended = 256

// A phase says how far a run is.
type phase int

const (
	running   phase = iota // or not begun
	suspended              // it waits for decisions, and its stream ends
	ended
)

// A run is what is known of the run whose events are decoded. The decoder
// writes it; the driver reads it, also from the goroutine that passes decisions
// on.
type run struct {
	mu     sync.Mutex
	id     string
	thread string
	older  bool // its events came in the older form
	phase  phase
	open   []suspension // what the person is asked
	left   bool         // the turn is over, and the run waits all the same
	next   bool         // the run that starts next goes on with this one's turn
}

// begin takes note of a run's start. It tells whether it goes on with the turn
// of the last one: then that is resumed.
func (r *run) begin(id, thread string, older bool) (resumed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	resumed = r.next || r.id != "" && r.id == id && r.phase != ended
	if !resumed {
		r.open = nil
	}
	if thread != "" {
		r.thread = thread
	}
	r.id, r.older, r.phase, r.next = id, older, running, false
	return resumed
}

// expect says that the run which starts next goes on with this one's turn, as
// the older form does where decisions start a run.
func (r *run) expect() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next = true
}

// expected tells whether expect was said of the next start.
func (r *run) expected() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.next
}

// abandon ends the turn of a run that waits for what nobody can give it.
func (r *run) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left, r.phase = true, ended
}

// unfinished tells whether the run may still work or wait.
func (r *run) unfinished() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.phase != ended || r.left
}

// place is how the server names the run, and its thread.
func (r *run) place() (id, thread string, older bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.id, r.thread, r.older
}

// state is the run's id and how far it is.
func (r *run) state() (id string, p phase) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.id, r.phase
}

// enter says how far the run is now.
func (r *run) enter(p phase) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase = p; p == ended {
		r.open = nil
	}
}

// suspend takes note of what the person is asked, once. It is not taken where
// that is known already, and where it is too much.
func (r *run) suspend(s suspension) (known, taken bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known = slices.ContainsFunc(r.open, func(o suspension) bool {
		return o.id == s.id || o.callID == s.callID && o.source != s.source
	})
	if known || len(r.open) >= maxSuspended {
		return known, false
	}
	r.open = append(r.open, s)
	return false, true
}

// find returns the open suspension of an id, else the first one of a call.
func (r *run) find(id string) (suspension, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.open, func(s suspension) bool { return s.id == id }); i >= 0 {
		return r.open[i], true
	}
	if i := slices.IndexFunc(r.open, func(s suspension) bool { return s.callID == id }); i >= 0 {
		return r.open[i], true
	}
	return suspension{}, false
}

// about lists the open permissions for a call.
func (r *run) about(callID string) (list []suspension) {
	for _, s := range r.waiting() {
		if s.permission && s.callID == callID {
			list = append(list, s)
		}
	}
	return list
}

// target is the name by which a server knows a suspension: its call's, unless
// that is another one's too.
func (r *run) target(s suspension) string {
	for _, o := range r.waiting() {
		if o.id != s.id && o.callID == s.callID {
			return s.id
		}
	}
	return s.callID
}

// settle forgets a suspension, and returns it.
func (r *run) settle(id string) (suspension, bool) {
	s, ok := r.find(id)
	if ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.open = slices.DeleteFunc(r.open, func(o suspension) bool { return o.id == s.id })
	}
	return s, ok
}

// waiting lists the open suspensions.
func (r *run) waiting() []suspension {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.open)
}
