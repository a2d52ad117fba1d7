package journal

import "sync"

// behindBytes is the number of written bytes after which a file is synced in the
// background.
const behindBytes = 4 << 20

// A writeBehind syncs a file while more is written to it, so that the final sync after
// a long turn is short.
type writeBehind struct {
	work sync.WaitGroup

	mu       sync.Mutex
	unsynced int // bytes
	running  bool
	err      error // of the first failed sync, because the system reports it only once
}

// wrote records that n more bytes were written to f.
func (w *writeBehind) wrote(f File, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unsynced += n; w.unsynced < behindBytes || w.running {
		return
	}
	w.unsynced, w.running = 0, true
	w.work.Go(func() {
		err := f.Sync()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running = false
		if w.err == nil {
			w.err = err
		}
	})
}

// failure returns the error of a background sync, or nil.
func (w *writeBehind) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// wait waits until no background sync is running.
func (w *writeBehind) wait() { w.work.Wait() }
