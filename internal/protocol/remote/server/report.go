package server

import (
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

const (
	// maxUnreported bounds the messages of a stream that were delivered to a client which
	// reports, and of which it has not reported that it received them. If its network dies,
	// they can be delivered again.
	maxUnreported = maxHistory / 2
	// unreportedBytes bounds their size. A single message may exceed it.
	unreportedBytes = 128 << 10
)

// report handles a client's heartbeat. Without it, a connection over HTTP can look open long
// after the client's network died. It may say what the client received on a stream.
func (h *Handler) report(w http.ResponseWriter, r *http.Request) {
	x := h.find(w, r, r.Header.Get(remote.HeaderConnection))
	if x == nil {
		return
	}
	event, reports, err := lastEvent(r)
	x.mu.Lock()
	x.beaten = time.Now()
	if reports && err == nil && x.resumable {
		x.reports = true
		x.received(r.Header.Get(remote.HeaderSession), event)
	}
	x.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// received forgets a stream's messages up to the event with a number, because the client
// has them. The caller holds the lock.
func (x *exchange) received(session string, event int64) {
	s := x.streams[session]
	if s == nil || event > s.top { // a late report about a session that was closed
		return
	}
	for s.first < event && len(s.history) > 0 {
		x.dropOldest(s)
	}
	notify(s.wake)
}

// fits reports whether a stream may deliver one more message, after a number of others in
// the same batch. The caller holds the lock.
func (x *exchange) fits(s *stream, others, size, more int) bool {
	others += len(s.history)
	size += s.kept
	return !x.reports || others == 0 || others < maxUnreported && size+more <= unreportedBytes
}
