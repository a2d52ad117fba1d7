package journal

import (
	"maps"
	"slices"
	"sync"
)

// Work runs what may wait for a store, for callers that must not wait. The work on one session
// runs in order. The zero value is ready to use.
type Work struct {
	mu   sync.Mutex
	last map[string]chan struct{} // by session: closed when all its work is done
}

// Post makes another goroutine call do, after all work that was posted for the session. done is
// closed afterwards.
func (w *Work) Post(session string, do func()) (done <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before, own := w.last[session], make(chan struct{})
	if w.last == nil {
		w.last = make(map[string]chan struct{})
	}
	w.last[session] = own
	go func() {
		if before != nil {
			<-before
		}
		do()
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.last[session] == own {
			delete(w.last, session)
		}
		close(own)
	}()
	return own
}

// Posted returns a function that waits for the work that was posted for a session so far.
func (w *Work) Posted(session string) (wait func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.last[session]
	return func() {
		if before != nil {
			<-before
		}
	}
}

// Wait waits for all work that was posted so far.
func (w *Work) Wait() {
	w.mu.Lock()
	all := slices.Collect(maps.Values(w.last))
	w.mu.Unlock()
	for _, done := range all {
		<-done
	}
}
