package sim

import (
	"fmt"
	"io/fs"
	"path/filepath"
)

// fill makes the disk full, or gives it room again.
func (w *World) fill(s *Step) string {
	if w.nats != nil {
		return ""
	}
	if w.empty() {
		return "the disk has room again"
	}
	size := uint64(s.B) % (w.largest() + 400)
	undo := w.limitFiles(size)
	if undo == nil {
		return ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.full = undo
	for _, s := range w.sessions {
		s.unsaved = s.unsaved || s.running != "" || s.mirrored
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
	if w.full == nil {
		return false
	}
	w.full()
	w.full = nil
	w.emptied++
	return true
}

// largest returns the size of the largest file.
func (w *World) largest() (size uint64) {
	_ = filepath.WalkDir(w.server.folder, func(_ string, entry fs.DirEntry, err error) error { // what can't be read doesn't count
		if err == nil {
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
				size = max(size, uint64(info.Size())) //nolint:gosec // it isn't negative
			}
		}
		return nil
	})
	return size
}

// lose records that what happens in a session may not be saved.
func (w *World) lose(id string) {
	if s := w.session(id); s != nil && w.full != nil {
		s.unsaved = true
	}
}
