package journal

import "sync"

// A storeLock is a mutex that is held while a store works, which may take long. In tests,
// virtual time passes while goroutines wait for it; it doesn't for a [sync.Mutex].
type storeLock struct {
	mu   sync.Mutex
	free sync.Cond
	held bool
}

// Lock implements [sync.Locker].
func (l *storeLock) Lock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.free.L == nil {
		l.free.L = &l.mu
	}
	for l.held {
		l.free.Wait()
	}
	l.held = true
}

// Unlock implements [sync.Locker].
func (l *storeLock) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = false
	l.free.Signal()
}
