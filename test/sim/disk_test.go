package sim

import (
	"fmt"
	"time"
)

// unseenDelay is longer than an answer may wait to be saved, if nothing is shown after it.
const unseenDelay = 2 * time.Second

// fill makes the disk full, or gives it room again.
func (w *World) fill(s *Step) string {
	if w.nats != nil {
		return ""
	}
	if w.empty() {
		return "the disk has room again"
	}
	size := int(s.B % (w.largest() + 400))
	w.server.disk.Limit(size)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.full = true
	for _, s := range w.sessions {
		waits := s.agent.Skills&dawdles != 0 || !w.isPrompt() // what is known of its start may not be written yet
		waits = waits || time.Since(s.answered) < unseenDelay
		s.unsaved = s.unsaved || s.running != "" || s.mirrored || waits
	}
	for _, c := range w.clients {
		for _, one := range c.calls {
			if one.open {
				w.lose(one.session)
			}
		}
	}
	return fmt.Sprintf("the disk is full: no file may have more than %d bytes", size)
}

// empty gives the disk room again. It returns false if it has room already.
func (w *World) empty() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.full {
		return false
	}
	w.server.disk.Limit(-1)
	w.full = false
	w.emptied++
	return true
}

// largest returns the size of the largest file.
func (w *World) largest() (size uint32) {
	for _, of := range w.server.disk.Sizes() {
		size = max(size, uint32(of)) //nolint:gosec // few bytes
	}
	return size
}

// lose records that what happens in a session may not be saved.
func (w *World) lose(id string) {
	s := w.session(id)
	if s == nil || !w.full {
		return
	}
	s.unsaved = true
	if s.agent.Manner == malicious { // it may write to all of its sessions
		for _, other := range w.sessions {
			other.unsaved = other.unsaved || other.agent == s.agent
		}
	}
}
