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
	x.beat()
	for {
		all := false
		select {
		case <-x.due:
		case <-ticker.C:
			all = true
		case <-x.conn.ctx.Done():
			return
		}
		due := x.unreported(all)
		if all && len(due) == 0 {
			x.beat()
		}
		for _, f := range due {
			x.reportOn(f)
		}
	}
}

// A namedStream is the stream of a session, or of the connection if session is "".
type namedStream struct {
	session string
	stream  *stream
}

// maxFinished bounds the finished streams that are still to be reported.
const maxFinished = 1 << 10

// reportLater reports a finished stream. The server may then forget its messages. The caller
// holds the lock.
func (x *exchange) reportLater(session string, s *stream) {
	x.done = append(x.done[max(len(x.done)+1-maxFinished, 0):], namedStream{session, s})
	signal(x.due)
}

// unreported returns the streams on which much was received since the last report, or
// anything, and the finished ones.
func (x *exchange) unreported(anything bool) (due []namedStream) {
	x.mu.Lock()
	defer x.mu.Unlock()
	due, x.done = x.done, nil
	for _, session := range slices.Sorted(maps.Keys(x.streams)) {
		if s := x.streams[session]; s.isDue() || anything && s.last > s.reported {
			due = append(due, namedStream{session, s})
		}
	}
	return due
}

// beat tells the server that there will be reports, or that this client is there.
func (x *exchange) beat() {
	x.mu.Lock()
	s := x.streams[""]
	x.mu.Unlock()
	if s != nil {
		x.reportOn(namedStream{"", s})
	}
}

// reportOn tells the server what was received on a stream.
func (x *exchange) reportOn(f namedStream) {
	x.mu.Lock()
	last, size := f.stream.last, f.stream.size
	x.mu.Unlock()
	ctx, stop := context.WithTimeout(x.conn.ctx, silence)
	defer stop()
	defer context.AfterFunc(x.outage.network(), stop)()
	r, err := x.request(ctx, http.MethodHead, http.NoBody, x.connection(), f.session, remote.HeaderLastEvent, strconv.FormatInt(last, 10))
	if err == nil {
		_ = r.Body.Close()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case err == nil && r.StatusCode/100 == 2 && last <= f.stream.last:
		f.stream.reported = last
		f.stream.size = max(f.stream.size-size, 0)
	case x.streams[f.session] != f.stream: // the next heartbeat repeats the others
		x.done = append(x.done, f)
	}
}
