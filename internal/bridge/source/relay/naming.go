package relay

import "github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"

// unnamed is a session for which an id is being chosen. If the agent uses its own id again
// meanwhile, there are several.
type unnamed struct {
	sessions int
	named    chan struct{} // closed when all have an id
}

// beginNaming makes a session's lines wait. The caller holds the lock.
func (e *early) beginNaming(remote string) {
	for _, line := range e.list {
		if line.remote == remote {
			e.up.relay.repairs.note(repairEarly)
		}
	}
	if e.unnamed == nil {
		e.unnamed = make(map[string]*unnamed)
	}
	if e.unnamed[remote] == nil {
		e.unnamed[remote] = &unnamed{named: make(chan struct{})}
	}
	e.unnamed[remote].sessions++
}

// holdUnnamed holds a line if its session waits for its id, and returns false otherwise. If
// too much is held, it waits instead.
func (e *early) holdUnnamed(remote string, line []byte) bool {
	r := e.up.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		waiting := e.unnamed[remote]
		if waiting == nil {
			return false
		}
		if e.hold(remote, line) {
			return true
		}
		r.mu.Unlock()
		<-waiting.named
		r.mu.Lock()
	}
}

// endNaming passes on the lines that were held, and lets the others pass. s is nil if the
// session was not opened; then the lines are dropped.
func (e *early) endNaming(remote string, s *session) {
	u, r := e.up, e.up.relay
	own := updates{up: u, named: true}
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting := e.unnamed[remote]
	waiting.sessions--
	for waiting.sessions == 0 {
		lines := e.take(remote)
		if len(lines) == 0 {
			break
		}
		r.mu.Unlock()
		for _, line := range lines {
			if s == nil || own.line(line) {
				continue
			}
			if m, err := jsonrpc.Parse(line); err == nil {
				u.incoming(line, m)
			}
		}
		r.view.Flush()
		r.mu.Lock()
	}
	if waiting.sessions == 0 && e.unnamed[remote] == waiting {
		delete(e.unnamed, remote)
		close(waiting.named)
	}
	e.openings--
	if len(e.unnamed) == 0 {
		e.take(remote) // drops what no response will name
	}
	u.needed--
	u.retire()
}
