package relay

import "bytes"

// maxEarly bounds the held updates of sessions that no response has named yet, in
// bytes.
const maxEarly = 1 << 20

// early holds updates of sessions that no response has named yet, while requests that
// open sessions are pending. The relay's mutex guards it.
type early struct {
	openings int // pending requests that open sessions
	list     []earlyUpdate
	size     int // in bytes
}

type earlyUpdate struct {
	remote string
	line   []byte
}

// hold stores an update. It returns false if no request is opening a session, or if the
// limit is reached.
func (e *early) hold(remote string, line []byte) bool {
	if e.openings == 0 || e.size+len(line) > maxEarly {
		return false
	}
	e.list = append(e.list, earlyUpdate{remote, bytes.Clone(line)})
	e.size += len(line)
	return true
}

// take returns the updates of a session that was just named. If no opening remains, it
// drops all other updates, because no response will name their sessions.
func (e *early) take(remote string) (lines [][]byte) {
	rest := e.list[:0]
	for _, u := range e.list {
		if u.remote != remote {
			rest = append(rest, u)
			continue
		}
		lines = append(lines, u.line)
		e.size -= len(u.line)
	}
	e.list = rest
	if e.openings == 0 {
		e.list, e.size = nil, 0
	}
	return lines
}
