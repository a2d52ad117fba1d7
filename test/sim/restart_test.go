package sim

import (
	"strings"

	"github.com/turnwire/turnwire/internal/test/memdisk"
)

// restart stops the server and starts another one on the same folder. Editors keep running,
// because each has its own process.
func (w *World) restart(*Step) string {
	w.setStopping(true)
	w.server.stop()
	w.settle()
	w.setStopping(false)
	w.old = append(w.old, w.server)
	w.server = newServer(w, w.server.disk)
	w.moveSites()
	return "the server stops and starts again"
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
	w.settle()
	w.empty()
	before := w.server
	after := before.disk.Copy()
	w.mu.Lock()
	for _, old := range append(w.old, before) {
		old.killed = true
	}
	clients := w.clients
	w.mu.Unlock()
	if err := crash(after, s.B%4 == 0); err != nil {
		w.fail("a disk survives a crash", err)
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
	w.old = append(w.old, before)
	w.server = newServer(w, after)
	w.moveSites()
	return "everything is killed, and the server starts again"
}

// crash removes the locks, which end with a process. If torn is set, each session's file ends
// in half a record, as after an interrupted write.
func crash(d *memdisk.Disk, torn bool) error {
	for _, path := range sortedKeys(d.Sizes()) {
		var err error
		switch {
		case strings.HasSuffix(path, ".lock"):
			err = d.Remove(path)
		case torn && strings.HasSuffix(path, ".jsonl"):
			err = d.Append(path, `{"seq":99`)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
