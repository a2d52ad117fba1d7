package relay

import "github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"

// beginNaming makes a session's lines wait. The caller holds the lock.
func (e *early) beginNaming(remote string) {
	if e.unnamed == nil {
		e.unnamed = make(map[string]chan struct{})
	}
	e.unnamed[remote] = make(chan struct{})
}

// holdUnnamed holds a line if its session waits for its id, and returns false otherwise. If too much is
// held, it waits instead.
func (e *early) holdUnnamed(remote string, line []byte) bool {
	r := e.up.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		named := e.unnamed[remote]
		if named == nil {
			return false
		}
		if e.hold(remote, line) {
			return true
		}
		r.mu.Unlock()
		<-named
		r.mu.Lock()
	}
}

// endNaming passes on the lines that were held, and lets the others pass. s is nil if the session was
// not opened; then the lines are dropped.
func (e *early) endNaming(remote string, s *session) {
	u, r := e.up, e.up.relay
	own := updates{up: u, named: true}
	for {
		r.mu.Lock()
		lines := e.take(remote)
		if len(lines) == 0 {
			close(e.unnamed[remote])
			delete(e.unnamed, remote)
			e.openings--
			e.take(remote) // drops what no response will name
			u.needed--
			u.retire()
			r.mu.Unlock()
			return
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
	}
}
