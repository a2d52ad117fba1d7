//go:build unix

package soak

import (
	"strings"
	"sync"
)

// traced makes Go's runtime print its goroutines every 20 seconds.
const traced = "GODEBUG=schedtrace=20000,scheddetail=1"

// A trace counts a server's goroutines, from what the runtime prints.
type trace struct {
	mu      sync.Mutex
	counted int // in the traces that have ended
	traces  int
	here    int // in the trace that is being printed
}

// add reads a line. It returns false if the line belongs to no trace.
func (t *trace) add(line string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	kind := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "SCHED "):
		t.counted, t.here = t.here, 0
		t.traces++
	case strings.HasPrefix(kind, "G") && strings.Contains(kind, ": status="):
		if !strings.Contains(kind, "status=6(") { // it has ended
			t.here++
		}
	default:
		return strings.HasPrefix(kind, "P") && strings.Contains(kind, ": status=") || strings.HasPrefix(kind, "M") && strings.Contains(kind, ": p=")
	}
	return true
}

// last returns the number of goroutines in the last trace that has ended, and how many
// traces have begun.
func (t *trace) last() (goroutines, traces int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counted, t.traces
}
