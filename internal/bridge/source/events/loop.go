package events

import (
	"sync"
	"sync/atomic"
)

// A loop is a session's goroutine as other goroutines see it: they give it work, stop
// it, and wait for its end. All methods are safe for concurrent use, and none blocks.
type loop struct {
	woken    chan struct{} // signals new work
	stopping atomic.Bool
	done     chan struct{} // closed when the goroutine has exited

	mu    sync.Mutex
	tasks []func()
	ended bool // no more tasks are taken
}

func newLoop() *loop {
	return &loop{woken: make(chan struct{}, 1), done: make(chan struct{})}
}

// wake makes the goroutine check for work.
func (l *loop) wake() {
	select {
	case l.woken <- struct{}{}:
	default:
	}
}

// stop makes the goroutine exit.
func (l *loop) stop() {
	l.stopping.Store(true)
	l.wake()
}

func (l *loop) isStopping() bool { return l.stopping.Load() }

// add makes the goroutine call f. It returns false if the goroutine takes no more tasks.
func (l *loop) add(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	l.tasks = append(l.tasks, f)
	l.wake()
	return true
}

func (l *loop) hasTasks() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.tasks) > 0
}

// runTasks calls the functions that were added. Only the session's goroutine calls it.
func (l *loop) runTasks() {
	l.mu.Lock()
	tasks := l.tasks
	l.tasks = nil
	l.mu.Unlock()
	for _, f := range tasks {
		f()
	}
}

// endTasks calls the functions that were added. None can be added afterwards. Only the
// session's goroutine calls it.
func (l *loop) endTasks() {
	for !l.refuseTasks() {
		l.runTasks()
	}
}

// refuseTasks makes add return false, if no task is left.
func (l *loop) refuseTasks() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = len(l.tasks) == 0
	return l.ended
}
