package journal

import "sync"

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
	clear(dirty)
	r.mu.Lock()
	r.spare = dirty[:0]
	r.mu.Unlock()
}
