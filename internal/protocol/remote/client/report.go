package client

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// received records the number of the last event of a stream, and its size.
func (x *exchange) received(s *stream, n int64, size int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.last = n
	s.size += size
	if s.reported > n { // the stream began again
		s.reported, s.size = 0, 0
	}
	if s.isDue() {
		signal(x.due)
	}
}

// isDue reports whether the server must soon know what was received.
func (s *stream) isDue() bool { return s.last-s.reported >= reportMessages || s.size >= reportBytes }

// report tells the server what was received on each stream: after a while, when it is much,
// and at once that there will be reports. Each is also a heartbeat. Whether the server is
// there doesn't matter: the streams notice that.
func (x *exchange) report() {
	ticker := time.NewTicker(remote.Heartbeat)
	defer ticker.Stop()
	x.reportOn("")
	for {
		all := false
		select {
		case <-x.due:
		case <-ticker.C:
			all = true
		case <-x.conn.ctx.Done():
			return
		}
		sessions := x.unreported(all)
		if all && len(sessions) == 0 {
			sessions = []string{""}
		}
		for _, session := range sessions {
			x.reportOn(session)
		}
	}
}

// unreported returns the sessions on whose streams much was received since the last
// report, or anything.
func (x *exchange) unreported(anything bool) (sessions []string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, session := range slices.Sorted(maps.Keys(x.streams)) {
		if s := x.streams[session]; s.isDue() || anything && s.last > s.reported {
			sessions = append(sessions, session)
		}
	}
	return sessions
}

// reportOn tells the server what was received on a stream.
func (x *exchange) reportOn(session string) {
	x.mu.Lock()
	s := x.streams[session]
	if s == nil {
		x.mu.Unlock()
		return
	}
	last, size := s.last, s.size
	x.mu.Unlock()
	ctx, stop := context.WithTimeout(x.conn.ctx, silence)
	defer stop()
	defer context.AfterFunc(x.outage.network(), stop)()
	r, err := x.request(ctx, http.MethodHead, http.NoBody, x.connection(), session, remote.HeaderLastEvent, strconv.FormatInt(last, 10))
	if err != nil {
		return // the next heartbeat repeats it
	}
	_ = r.Body.Close()
	x.mu.Lock()
	defer x.mu.Unlock()
	if r.StatusCode/100 == 2 && last <= s.last {
		s.reported = last
		s.size = max(s.size-size, 0)
	}
}
