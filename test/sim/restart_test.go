package sim

import (
	"strings"

	"github.com/turnwire/turnwire/internal/test/memdisk"
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
	w.replace(before, before.disk)
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
	w.see(&event{kind: slain, server: before})
	after := before.disk.Copy()
	w.mu.Lock()
	for _, old := range append(w.old, before) {
		old.killed = true
	}
	w.speedUp() // the copy is fast; what the old server does has no effect
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
	w.replace(before, after)
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
		case torn && strings.HasSuffix(path, ".jsonl") && !strings.Contains(path, "/planted-"):
			err = d.Append(path, `{"seq":99`)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
