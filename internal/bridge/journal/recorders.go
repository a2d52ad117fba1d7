package journal

import (
	"sync"
	"time"
)

// A Settler is a [Journal] that passes records on in the background. Settle blocks
// until they survive the death of this process, or until a timeout. It returns an error
// if they never will. It may be called at any time.
type Settler interface{ Settle() error }

// Recorders are the recorders with something to write. The zero value is ready to use.
// If they are flushed before each write to an editor, everything shown there survives
// the death of this process. What nobody is shown is flushed after a second.
type Recorders struct {
	flushing storeLock // acquired before mu

	mu    sync.Mutex
	dirty []*Recorder
	spare []*Recorder
	isDue bool // a flush follows by itself
}

// unshown is how long what nobody is shown may wait to be flushed.
const unshown = time.Second

// Add adds a recorder until the next flush; see [NewRecorder].
func (r *Recorders) Add(d *Recorder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dirty = append(r.dirty, d)
	if !r.isDue {
		r.isDue = true
		time.AfterFunc(unshown, r.flushUnshown)
	}
}

// flushUnshown flushes the recorders, now and again, until none has something to write.
func (r *Recorders) flushUnshown() {
	r.Flush()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isDue = len(r.dirty) > 0; r.isDue {
		time.AfterFunc(unshown, r.flushUnshown)
	}
}

// Flush flushes the recorders. It also waits for those that another goroutine is
// flushing: this goroutine may be about to show what they record.
func (r *Recorders) Flush() {
	r.flushing.Lock()
	defer r.flushing.Unlock()
	r.mu.Lock()
	dirty := r.dirty
	r.dirty, r.spare = r.spare[:0], nil
	r.mu.Unlock()
	for _, d := range dirty {
		d.Flush()
	}
	for _, d := range dirty { // all are under way, so the waits overlap
		d.settle()
	}
	clear(dirty)
	r.mu.Lock()
	r.spare = dirty[:0]
	r.mu.Unlock()
}
