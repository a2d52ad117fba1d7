package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// events serves the stream of a session or of the connection.
func (h *Handler) events(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), remote.TypeEvents) {
		refuse(w, http.StatusNotAcceptable, "the Accept header must include text/event-stream")
		return
	}
	x := h.find(w, r, r.Header.Get(remote.HeaderConnection))
	if x == nil {
		return
	}
	session := r.Header.Get(remote.HeaderSession)
	if len(session) > maxID {
		refuse(w, http.StatusBadRequest, "an id is too long")
		return
	}
	after, resumes, err := lastEvent(r)
	var s *stream
	ok := true
	if resumes && x.resumable && err == nil {
		s = x.resume(r, session, after)
	} else if !resumes || !x.resumable {
		s, ok = x.attach(session)
	}
	switch {
	case s == nil && r.Context().Err() != nil:
		refuseCut(w)
		return
	case s == nil && resumes && x.resumable:
		refuse(w, http.StatusConflict, "the events after that one are gone: open the session again")
		return
	case !ok:
		refuse(w, http.StatusTooManyRequests, "too many streams")
		return
	case s == nil:
		refuse(w, http.StatusConflict, "another request already reads this stream")
		return
	}
	defer x.detach(session, s)
	if resumes && x.isWhole(s) {
		w.Header().Set(remote.HeaderInstance, h.instance)
		refuse(w, http.StatusNotFound, "the connection ended")
		return
	}
	head := w.Header()
	head.Set("Content-Type", remote.TypeEvents)
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no") // otherwise some proxies hold events back
	head.Set(remote.HeaderConnection, x.ID)
	if session != "" {
		head.Set(remote.HeaderSession, session)
	}
	w.WriteHeader(http.StatusOK)
	out := &eventWriter{w: w, control: http.NewResponseController(w), stall: h.limits.Stall}
	evicted := x.evictable(s, out)
	if err := out.write(nil); err != nil {
		return
	}
	x.deliver(r, s, out, evicted)
}

// deliver delivers a stream's messages until it ends or the client goes.
func (x *exchange) deliver(r *http.Request, s *stream, out *eventWriter, evicted <-chan struct{}) {
	beat := x.limits.Heartbeat
	if x.resumable {
		beat = min(beat, remote.Heartbeat)
	}
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		select {
		case <-evicted:
			return
		default:
		}
		batch, first, ended := x.dequeue(s)
		if ended {
			return
		}
		if len(batch) > 0 {
			err := out.events(batch, first)
			x.done(s, batch)
			if err != nil && x.resumable {
				return // the client may resume
			}
			if err != nil {
				x.fail(errGone) // the client waits for something that was lost
				return
			}
			continue
		}
		select {
		case <-s.wake:
		case <-ticker.C:
			if out.write([]byte(":\n\n")) != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-evicted:
			return
		case <-x.dead.Done():
			return
		}
	}
}

// evictable lets another request take over a stream that can be resumed. The channel is
// closed when that happens.
func (x *exchange) evictable(s *stream, out *eventWriter) <-chan struct{} {
	evicted := make(chan struct{})
	x.mu.Lock()
	defer x.mu.Unlock()
	s.evict = sync.OnceFunc(func() {
		close(evicted)
		_ = out.control.SetWriteDeadline(time.Now()) // not every writer supports it
	})
	if s.left != nil { // another request waits already
		s.evict()
	}
	return evicted
}

// drained waits until all attached streams have delivered everything. The client of a
// resumable connection may come back for the rest, unless ctx is done, because the server
// stops.
func (x *exchange) drained(ctx context.Context) {
	stops := ctx.Done()
	for x.waits(ctx.Err() == nil) {
		select {
		case <-x.room:
		case <-x.dead.Done():
			return
		case <-stops:
			stops = nil
		case <-time.After(x.limits.Stall):
			return
		}
	}
}

// waits reports whether a stream has something to deliver. comesBack says that the client
// may resume streams.
func (x *exchange) waits(comesBack bool) bool {
	comesBack = comesBack && x.resumable && x.valid()
	x.mu.Lock()
	defer x.mu.Unlock()
	comesBack = comesBack && !x.dismissed
	for _, s := range x.streams {
		if s.busy || s.attached && len(s.queue) > 0 || comesBack && !s.whole && len(s.queue)+len(s.history) > 0 {
			return true
		}
	}
	return false
}

// isWhole reports whether the client of a stream has received everything. Nothing more
// will follow.
func (x *exchange) isWhole(s *stream) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.whole = s.whole || x.ended && len(s.queue) == 0
	if s.whole {
		notify(x.room)
	}
	return s.whole
}

// An eventWriter writes events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
	text    bytes.Buffer
}

// events writes each message as an event. The events have numbers as ids, and the messages
// as cursors, unless first is 0.
func (e *eventWriter) events(batch [][]byte, first int64) error {
	e.text.Reset()
	for i, text := range batch {
		if first > 0 {
			fmt.Fprintf(&e.text, "id: %d\n", first+int64(i))
			text = withCursor(text, first+int64(i))
		}
		e.text.WriteString("data: ")
		e.text.Write(text)
		e.text.WriteString("\n\n")
	}
	err := e.write(e.text.Bytes())
	if e.text.Cap() > 4*maxBatch {
		e.text = bytes.Buffer{}
	}
	return err
}

// write writes and flushes. It fails if the client reads nothing for a while.
func (e *eventWriter) write(text []byte) error {
	_ = e.control.SetWriteDeadline(time.Now().Add(e.stall)) // not every writer supports it
	defer func() { _ = e.control.SetWriteDeadline(time.Time{}) }()
	if len(text) > 0 {
		if _, err := e.w.Write(text); err != nil {
			return err
		}
	}
	return e.control.Flush()
}
