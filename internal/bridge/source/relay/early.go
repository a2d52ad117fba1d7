package relay

import "bytes"

// maxEarly bounds the held updates of sessions that no response has named yet, in
// bytes.
const maxEarly = 1 << 20

// early holds updates of sessions that no response has named yet, while requests that
// open sessions are pending. The relay's mutex guards it.
type early struct {
	up       *upstream
	openings int // pending requests that open sessions
	list     []earlyLine
	size     int // in bytes
	// unnamed are the sessions that a response has named, and for which an id is being
	// chosen, by the agent's ids. All of their lines are held.
	unnamed map[string]*unnamed
}

type earlyLine struct {
	remote string
	line   []byte
}

// hold stores a line. It returns false if no request is opening a session, or if the
// limit is reached.
func (e *early) hold(remote string, line []byte) bool {
	if e.openings == 0 || e.size+len(line) > maxEarly {
		return false
	}
	e.list = append(e.list, earlyLine{remote, bytes.Clone(line)})
	e.size += len(line)
	return true
}

// take returns the lines of a session that was just named. If no opening remains, it
// drops all others, because no response will name their sessions.
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
