package journal

import (
	"os"
	"sync"
)

// behindBytes is how much of a file waits for the disk at most before it is
// brought there in the background.
const behindBytes = 4 << 20

// A writeBehind brings what was written to the disk while more is written, so
// that the wait for the disk at the end of a long turn is short.
type writeBehind struct {
	work sync.WaitGroup

	mu       sync.Mutex
	unsynced int // bytes
	running  bool
	err      error // of the first sync that failed: the system tells it once
}

// wrote says that n bytes more were written to f.
func (w *writeBehind) wrote(f *os.File, n int) {
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

// failure returns why something is not on the disk.
func (w *writeBehind) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// wait returns when nothing is done in the background.
func (w *writeBehind) wait() { w.work.Wait() }
