package sim

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// restart stops the server and starts another one on the same folder. Editors keep running,
// because each has its own process.
func (w *World) restart(s *Step) string {
	before := w.pick(s.A)
	w.loseShared(before)
	w.setStopping(true)
	before.stop()
	w.settle()
	w.setStopping(false)
	w.replace(before, before.folder)
	return before.name + " stops and starts again"
}

func (w *World) setStopping(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopping = on
	if on {
		w.stops++
	}
}

// kill disconnects everything at once, and starts a server on a copy of the saved sessions.
// The old server keeps running without effect.
func (w *World) kill(s *Step) string {
	if w.nats != nil {
		return w.killOne(s)
	}
	w.settle()
	w.empty()
	before := w.server
	after := w.t.TempDir()
	w.mu.Lock()
	for _, old := range append(w.old, before) {
		old.killed = true
	}
	clients := w.clients
	w.mu.Unlock()
	if err := copySessions(before.folder, after, s.B%4 == 0); err != nil {
		w.fail("sessions can be copied", err)
	}
	for _, c := range clients {
		c.mark(func() { c.troubled = true })
		c.toServer.cut()
		c.fromServer.cut()
	}
	for _, m := range w.mirrors {
		m.toServer.cut()
		m.fromServer.cut()
	}
	before.stop()
	before.wait()
	w.settle()
	w.replace(before, after)
	return "everything is killed, and the server starts again"
}

// copySessions copies the files of sessions, without locks, which end with a process. If
// torn is set, each file ends in half a record, as after an interrupted write.
func copySessions(from, to string, torn bool) error {
	return filepath.WalkDir(filepath.Join(from, "sessions"), func(path string, entry fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // it is the world's own
		if err != nil {
			return err
		}
		if torn && strings.HasSuffix(path, ".jsonl") {
			text = append(text, `{"seq":99`...)
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rest)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o600)
	})
}
