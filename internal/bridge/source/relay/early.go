package relay

import "bytes"

// maxEarly bounds the updates that wait for the answer that names their session, in bytes.
const maxEarly = 1 << 20

// early are updates of sessions that no answer has named yet, while requests that open
// some are on their way. The relay's mutex guards them.
type early struct {
	openings int // requests that open sessions
	list     []earlyUpdate
	size     int // in bytes
}

type earlyUpdate struct {
	remote string
	line   []byte
}

// hold keeps an update, and reports false if no request opens a session, or if there is
// no room.
func (e *early) hold(remote string, line []byte) bool {
	if e.openings == 0 || e.size+len(line) > maxEarly {
		return false
	}
	e.list = append(e.list, earlyUpdate{remote, bytes.Clone(line)})
	e.size += len(line)
	return true
}

// take returns the updates of a session that is named now. With the last opening the
// others are forgotten: nobody will name their sessions.
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
