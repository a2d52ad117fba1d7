package sim

import (
	"fmt"
	"time"
)

// slowest bounds how long an operation of a slow disk takes, and catchesUp what waits for it
// when the disk is fast again.
const (
	slowest   = 4 * time.Second
	catchesUp = time.Minute
)

// slow makes the disk slow, or fast again.
func (w *World) slow(s *Step) string {
	if w.nats != nil {
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sluggish {
		w.speedUp()
		return "the disk is fast again"
	}
	each := time.Duration(s.B)%slowest + time.Millisecond
	w.sluggish = true
	w.server.disk.Slow(each)
	return fmt.Sprintf("the disk is slow: everything takes %v", each)
}

// speedUp makes the disk fast. The caller holds the lock.
func (w *World) speedUp() {
	if w.sluggish {
		w.sluggish, w.fast = false, time.Now()
		w.server.disk.Slow(0)
	}
}

// isPrompt reports whether the servers save at once what they show. The caller holds the lock.
func (w *World) isPrompt() bool {
	return w.isJoined() && !w.sluggish && (w.fast.IsZero() || time.Since(w.fast) > catchesUp)
}

// freeze holds back what a server sends to NATS and gets from there.
func (w *World) freeze(s *Step) string {
	if !w.mayLoseNATS() {
		return ""
	}
	to := w.pick(s.A)
	if to.isolated {
		return ""
	}
	to.leave()
	to.link.Stall(true)
	return to.name + " hears nothing of NATS"
}
