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
	mu    sync.Mutex
	id    string
	older bool // its events came in the older form
	phase phase
	open  []suspension // what the person is asked
}

// begin takes note of a run's start. It tells whether the run had begun
// already: then it is resumed.
func (r *run) begin(id string, older bool) (resumed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	resumed = r.id != "" && r.id == id && r.phase != ended
	if !resumed {
		r.open = nil
	}
	r.id, r.older, r.phase = id, older, running
	return resumed
}

// is tells whether id names the run.
func (r *run) is(id []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.id == string(id)
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

// suspend takes note of what the person is asked, once. It is false where that
// is known already, and where it is too much.
func (r *run) suspend(s suspension) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := slices.ContainsFunc(r.open, func(o suspension) bool { return o.id == s.id || o.callID == s.callID })
	if known || len(r.open) >= maxSuspended {
		return false
	}
	r.open = append(r.open, s)
	return true
}

// find returns the open suspension that is meant by its own id or its call's.
func (r *run) find(id string) (suspension, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.open {
		if s.id == id || s.callID == id {
			return s, true
		}
	}
	return suspension{}, false
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
