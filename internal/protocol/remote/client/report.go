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

// received records the number of the last event of a stream, and its size. It returns false if
// the stream is finished: another one delivers the event again.
func (x *exchange) received(session string, s *stream, n int64, size int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.streams[session] != s {
		return false
	}
	s.last = n
	s.size += size
	if s.reported > n { // the stream began again
		s.reported, s.size = 0, 0
	}
	if s.isDue() {
		signal(x.due)
	}
	return true
}

// isDue reports whether the server must soon know what was received.
func (s *stream) isDue() bool { return s.last-s.reported >= reportMessages || s.size >= reportBytes }

const (
	// maxReports bounds the reports that are under way. On a bad network, each may take until
	// silence is over, and the server sends no more on a stream until it knows what arrived.
	maxReports = 16
	// reportPause is how long after a failed report the next one follows.
	reportPause = time.Second
)

// report tells the server what was received on each stream: after a while, when it is much,
// and at once that there will be reports. Each is also a heartbeat. Whether the server is
// there doesn't matter: the streams notice that.
func (x *exchange) report() {
	ticker := time.NewTicker(remote.Heartbeat)
	defer ticker.Stop()
	slots := make(chan struct{}, maxReports)
	for all := true; ; {
		for _, f := range x.unreported(all) {
			select {
			case slots <- struct{}{}:
			case <-x.conn.ctx.Done():
				return
			}
			x.conn.start(func() {
				defer func() { <-slots }()
				x.reportOn(f)
			})
		}
		select {
		case <-x.due:
			all = false
		case <-ticker.C:
			all = true
		case <-x.conn.ctx.Done():
			return
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

// unreported returns the streams on which much was received since the last report, and the
// finished ones. If all is set, it returns those on which anything was received, or else the
// connection's, as a heartbeat. Reports on them must follow.
func (x *exchange) unreported(all bool) (due []namedStream) {
	x.mu.Lock()
	defer x.mu.Unlock()
	finished := x.done
	x.done = nil
	for _, f := range finished {
		if f.stream.reporting {
			x.done = append(x.done, f)
		} else {
			due = append(due, f)
		}
	}
	for _, session := range slices.Sorted(maps.Keys(x.streams)) {
		if s := x.streams[session]; !s.reporting && (s.isDue() || all && s.last > s.reported) {
			due = append(due, namedStream{session, s})
		}
	}
	if s := x.streams[""]; all && len(due) == 0 && s != nil && !s.reporting {
		due = append(due, namedStream{"", s})
	}
	for _, f := range due {
		f.stream.reporting = true
	}
	return due
}

// reportOn tells the server what was received on a stream.
func (x *exchange) reportOn(f namedStream) {
	x.mu.Lock()
	last, size := f.stream.last, f.stream.size
	x.mu.Unlock()
	accepted := x.tellReceived(f.session, last)
	if !accepted {
		select {
		case <-time.After(reportPause):
		case <-x.conn.ctx.Done():
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	f.stream.reporting = false
	switch {
	case accepted && last <= f.stream.last:
		f.stream.reported = last
		f.stream.size = max(f.stream.size-size, 0)
	case x.streams[f.session] != f.stream:
		x.done = append(x.done, f)
	}
	if f.stream.isDue() || len(x.done) > 0 {
		signal(x.due)
	}
}

// tellReceived reports the number of the last event of a stream. It returns whether the server
// knows it then.
func (x *exchange) tellReceived(session string, last int64) bool {
	ctx, stop := context.WithTimeout(x.conn.ctx, silence)
	defer stop()
	defer context.AfterFunc(x.outage.network(), stop)()
	r, err := x.request(ctx, http.MethodHead, http.NoBody, x.connection(), session, remote.HeaderLastEvent, strconv.FormatInt(last, 10))
	if err != nil {
		return false
	}
	_ = r.Body.Close()
	return r.StatusCode/100 == 2
}
