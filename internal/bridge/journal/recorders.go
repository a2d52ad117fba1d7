package journal

import "sync"

// A Settler is a [Journal] that hands records on in the background. Settle returns
// when they survive the death of this process, or that would take too long. The
// error is why they never will. It may be called at any time.
type Settler interface{ Settle() error }

// Recorders are those that have something to write. The zero value is ready to
// use. What is shown to an editor survives this process if they are flushed
// before each write to it.
type Recorders struct {
	mu    sync.Mutex
	dirty []*Recorder
	spare []*Recorder
}

// Add adds a recorder until it is flushed; see [NewRecorder].
func (r *Recorders) Add(d *Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dirty = append(r.dirty, d)
}

// Flush flushes them. It is called by one goroutine at a time.
func (r *Recorders) Flush() {
	r.mu.Lock()
	dirty := r.dirty
	r.dirty, r.spare = r.spare[:0], nil
	r.mu.Unlock()
	for _, d := range dirty {
		d.Flush()
	}
	for _, d := range dirty { // all are on their way: the waits are one
		d.settle()
	}
	clear(dirty)
	r.mu.Lock()
	r.spare = dirty[:0]
	r.mu.Unlock()
}
