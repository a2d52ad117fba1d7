package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote"
)

const (
	// maxHistory bounds the delivered messages of a stream that can be delivered again.
	maxHistory = 1000
	// maxKept bounds those of all of a connection's streams, in bytes. Beyond it,
	// closed sessions lose their history, and then the longest history its oldest messages.
	maxKept = 4 << 20
	// maxUnreceived is the bound if the client reports what it received. It is higher,
	// because nothing else is kept.
	maxUnreceived = 8 << 20
)

// asksToResume reports whether a client's initialize params ask for streams that can be
// resumed: clientCapabilities.transport.resumable is an object.
func asksToResume(text []byte) bool {
	params, _, _ := rawmsg.Member(text, "params")
	able, _, _ := rawmsg.Member(params, "clientCapabilities")
	transport, _, _ := rawmsg.Member(able, "transport")
	resumable, _, _ := rawmsg.Member(transport, "resumable")
	return len(resumable) > 0 && resumable[0] == '{'
}

// offerResume adds agentCapabilities.transport.resumable to an initialize response.
func (x *exchange) offerResume(response []byte) []byte {
	result, _, _ := rawmsg.Member(response, "result")
	if len(result) == 0 || result[0] != '{' {
		return response
	}
	able, _, _ := rawmsg.Member(result, "agentCapabilities")
	if len(able) == 0 || able[0] != '{' {
		able = []byte("{}")
	}
	offer := rawmsg.Encode(map[string]any{"resumable": map[string]int64{
		"retentionMessages": maxHistory, "retentionSeconds": int64(x.limits.Retain / time.Second),
	}})
	return rawmsg.Set(response, "result", rawmsg.Set(result, "agentCapabilities", rawmsg.Set(able, "transport", offer)))
}

// keep records what is delivered, so that it can be delivered again. The caller holds the
// lock.
func (x *exchange) keep(s *stream, batch [][]byte) {
	for _, text := range batch {
		x.remember(s, text)
	}
	for len(s.history) > maxHistory {
		x.dropOldest(s)
	}
	limit := maxKept
	if x.reports {
		limit = maxUnreceived
	}
	for x.kept > limit {
		victim := x.victim()
		enough := victim.kept * 7 / 8 // more than necessary, because finding a victim takes time
		if x.isPast(victim) {
			enough = 0
		}
		for victim.kept > enough {
			x.dropOldest(victim)
		}
	}
}

// recent is how many of the sessions that were closed last count as open, because their
// clients may not have received everything yet.
const recent = 8

// isPast reports whether a stream's session was closed a while ago. The caller holds the
// lock.
func (x *exchange) isPast(s *stream) bool {
	return !x.reports && s.over > 0 && s.over <= x.over-recent
}

// victim returns the stream whose history is dropped first: that of a session which was
// closed a while ago, or the longest. The caller holds the lock.
func (x *exchange) victim() (victim *stream) {
	for _, s := range x.streams {
		switch {
		case s.kept == 0:
		case x.isPast(s):
			return s
		case victim == nil || s.kept > victim.kept:
			victim = s
		}
	}
	return victim
}

// remember adds a message to a stream's history. The caller holds the lock.
func (x *exchange) remember(s *stream, text []byte) {
	s.history = append(s.history, text)
	s.kept += len(text)
	x.kept += len(text)
}

// dropOldest removes the oldest message of a stream's history. The caller holds the lock.
func (x *exchange) dropOldest(s *stream) {
	s.kept -= len(s.history[0])
	x.kept -= len(s.history[0])
	s.history[0] = nil
	s.history = s.history[1:]
	s.first++
}

// withCursor returns a message with the id of its event in _meta["acp/cursor"], for
// programs that see the message without its event. Errors stay unchanged, and so do results
// that are not objects.
func withCursor(message []byte, event int64) []byte {
	m, err := rawmsg.Parse(message)
	if err != nil {
		return message
	}
	part, value := "params", m.Params
	if m.Method == "" {
		part, value = "result", m.Result
	}
	if len(value) == 0 || value[0] != '{' {
		return message
	}
	meta, _, _ := rawmsg.Member(value, "_meta")
	if len(meta) == 0 || meta[0] != '{' {
		meta = []byte("{}")
	}
	meta = rawmsg.Set(meta, remote.Cursor, rawmsg.Quote(strconv.FormatInt(event, 10)))
	return rawmsg.Set(message, part, rawmsg.Set(value, "_meta", meta))
}

// prune removes streams without a reader that have nothing to deliver, although their
// clients could resume them: those of closed sessions, or all if that isn't enough. The
// caller holds the lock.
func (x *exchange) prune() {
	x.pruneIf(func(s *stream) bool { return s.over > 0 })
	if len(x.streams) > x.limits.Streams {
		x.pruneIf(func(*stream) bool { return true })
	}
}

func (x *exchange) pruneIf(which func(*stream) bool) {
	for session, s := range x.streams {
		if session != "" && !s.attached && len(s.queue) == 0 && which(s) {
			x.kept -= s.kept
			delete(x.streams, session)
		}
	}
}

// resume attaches a client to a stream after the event with a number. It replaces the
// stream's current reader. It returns nil if the history is gone.
func (x *exchange) resume(r *http.Request, session string, after int64) *stream {
	for {
		x.mu.Lock()
		s := x.streams[session]
		if s == nil {
			x.mu.Unlock()
			return nil
		}
		if !s.attached {
			defer x.mu.Unlock()
			return x.rewind(s, after)
		}
		if s.left == nil {
			s.left = make(chan struct{})
		}
		left := s.left
		if s.evict != nil {
			s.evict()
		}
		x.mu.Unlock()
		select {
		case <-left:
		case <-r.Context().Done():
			return nil
		case <-x.dead.Done():
			return nil
		}
	}
}

// rewind queues again what was delivered after the event with a number, and attaches the
// client. The caller holds the lock.
func (x *exchange) rewind(s *stream, after int64) *stream {
	if after < s.first || after > s.top {
		return nil
	}
	// An earlier request may have asked for older events, which the client has received
	// since.
	for known := after - s.first - int64(len(s.history)); known > 0; known-- {
		x.remember(s, s.queue[0])
		x.buffered -= len(s.queue[0])
		s.queue = s.queue[1:]
	}
	skip := after - s.first
	again := append([][]byte(nil), s.history[skip:]...)
	for _, text := range again {
		s.kept -= len(text)
		x.kept -= len(text)
		x.buffered += len(text)
	}
	s.history = s.history[:skip]
	s.queue = append(again, s.queue...)
	s.attached, x.streamed = true, true
	x.attached++
	return s
}

// lastEvent returns the number of the last event that a client received, if it resumes a
// stream.
func lastEvent(r *http.Request) (n int64, resumes bool, err error) {
	id := r.Header.Get(remote.HeaderLastEvent)
	if id == "" {
		return 0, false, nil
	}
	n, err = strconv.ParseInt(id, 10, 64)
	return n, true, err
}

// operation returns the number of a request with a message, or 0.
func operation(r *http.Request) int64 {
	n, err := strconv.ParseInt(r.Header.Get(remote.HeaderOperation), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
