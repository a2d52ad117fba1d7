package server

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// maxPosts bounds the messages of a connection that are received at once, because each
// may be long.
const maxPosts = 8

// An exchange is a connection over HTTP. Messages arrive as requests and leave on
// streams.
type exchange struct {
	*Conn

	limits      Limits
	resumable   bool          // the client may resume its streams
	posts       chan struct{} // a semaphore for messages being received
	closed      chan struct{} // closed when it is no longer served
	left        chan struct{} // closed when its place is free again
	initialized chan []byte   // receives the response to "initialize"
	room        chan struct{} // signals that a stream delivered something

	posting  sync.Mutex // held while an operation is passed on
	mu       sync.Mutex
	greeted  bool               // initialized received it
	pending  map[string]pending // the client's unanswered requests
	asked    map[string]string  // scopes of the requests that the client has not answered
	streams  map[string]*stream
	attached int
	streamed bool      // a stream was attached at least once
	used     time.Time // when a stream was last attached or a message arrived; zero until the client has the connection's id
	reports  bool      // the client reports what it received
	beaten   time.Time // when the last heartbeat of the client arrived; zero if it sends none
	buffered int       // bytes queued in all streams
	kept     int       // bytes in the histories of all streams
	over     int       // how many sessions were closed
	posted   int64     // the number of the last operation; only if resumable
	ended    bool      // nothing more will be written
	// dismissed is set if the client ended the connection.
	dismissed bool
}

// A stream is the queue for a session or for the connection.
type stream struct {
	queue    [][]byte
	busy     bool          // messages are being delivered
	attached bool          // the client reads it
	wake     chan struct{} // signals that there may be something to do

	// The following fields are only for resumable connections.
	history [][]byte // delivered, but perhaps not received
	kept    int      // bytes in history
	over    int      // the session was the nth to be closed; 0 if it is open
	first   int64    // the number of events before history
	top     int64    // the number of the last event that was delivered at least once
	whole   bool     // the client has received all events, and knows of the end
	evict   func()   // makes the current reader leave
	left    chan struct{}
}

func newExchange(l Limits) *exchange {
	x := &exchange{
		limits: l, posts: make(chan struct{}, maxPosts), closed: make(chan struct{}), left: make(chan struct{}), initialized: make(chan []byte, 1), room: make(chan struct{}, 1),
		pending: make(map[string]pending), asked: make(map[string]string), streams: make(map[string]*stream),
	}
	x.streams[""] = newStream()
	return x
}

func newStream() *stream { return &stream{wake: make(chan struct{}, 1)} }

// notify sends a signal, unless one is already pending.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// A pending is an unanswered request from the client.
type pending struct {
	scope string // the session that it was sent with, or ""
	opens bool   // it opens that session, or another one
	ends  bool   // it closes that session, unless it fails
}

// expect records the scope of a request's response. It returns false if there are too
// many requests.
func (x *exchange) expect(m remote.Message, scope string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.pending) >= x.limits.Requests {
		return false
	}
	x.pending[m.ID] = pending{scope, m.OpensSession(), m.EndsSession()}
	if s := x.streams[scope]; s != nil && m.OpensSession() {
		s.over = 0
	}
	return true
}

// route queues a message on its stream. It waits while too much is queued for the
// client.
func (x *exchange) route(line []byte) error {
	line = remote.OneLine(bytes.Clone(line)) // a bare CR would end a line of an event
	if !x.await(len(line)) {
		return context.Cause(x.dead)
	}
	m, err := remote.Parse(line) // an invalid message belongs to the connection
	x.mu.Lock()
	defer x.mu.Unlock()
	if err == nil && m.IsAnswer() && !x.greeted {
		x.greeted = true
		x.initialized <- line
		return nil
	}
	scope := x.scope(m)
	s := x.streams[scope]
	if s == nil {
		if len(x.streams) > x.limits.Streams {
			x.prune()
		}
		if len(x.streams) > x.limits.Streams {
			x.log.Warn("too many sessions have their own stream")
			s = x.streams[""]
		} else {
			s = newStream()
			x.streams[scope] = s
		}
	}
	s.queue = append(s.queue, line)
	x.buffered += len(line)
	notify(s.wake)
	return nil
}

// scope returns the session whose stream a message goes to, or "". The caller holds the
// lock.
func (x *exchange) scope(m remote.Message) string {
	switch {
	case m.IsAnswer():
		p := x.pending[m.ID]
		delete(x.pending, m.ID)
		s := x.streams[p.scope]
		if p.opens && (s == nil || !s.attached && !x.resumable) {
			return "" // the client may open the stream only after the response
		}
		if p.ends && !m.Failed && s != nil {
			x.over++
			s.over = x.over
		}
		return p.scope
	case m.Cancels != "":
		scope := x.asked[m.Cancels]
		delete(x.asked, m.Cancels)
		return scope
	case m.IsRequest() && len(x.asked) < maxAsked:
		x.asked[m.ID] = m.Scope()
	}
	return m.Scope()
}

// maxAsked bounds the requests whose scopes are remembered.
const maxAsked = 1 << 14

// answered records that the client answered a request.
func (x *exchange) answered(m remote.Message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.asked, m.ID)
}

// await waits for room for size more bytes. It returns false if the connection ends.
func (x *exchange) await(size int) bool {
	stall := x.limits.Stall
	if x.resumable {
		stall = x.limits.Retain
	}
	timer := time.NewTimer(stall)
	defer timer.Stop()
	for {
		x.mu.Lock()
		fits := x.buffered == 0 || x.buffered+size <= x.limits.Buffer
		x.mu.Unlock()
		if fits {
			return x.dead.Err() == nil
		}
		select {
		case <-x.room:
			timer.Reset(stall)
		case <-timer.C:
			x.fail(errStalled)
			return false
		case <-x.dead.Done():
			return false
		}
	}
}

// attach attaches a client to the beginning of the stream of a session or of the connection.
// It returns nil if the stream is already attached, or its beginning is gone, and false if
// there are too many streams.
func (x *exchange) attach(session string) (s *stream, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s = x.streams[session]
	if s == nil {
		if len(x.streams) > x.limits.Streams {
			x.prune()
		}
		if len(x.streams) > x.limits.Streams {
			return nil, false
		}
		s = newStream()
		x.streams[session] = s
	}
	if s.attached {
		return nil, true
	}
	if s.over > 0 { // its client opens the session again
		x.kept -= s.kept
		s.history, s.kept, s.first, s.top, s.over = nil, 0, 0, 0, 0
	}
	if s.top > 0 { // an earlier request arrived late, and its client didn't get the events
		return x.rewind(s, 0), true
	}
	s.attached, x.streamed = true, true
	x.attached++
	return s, true
}

// detach undoes attach.
func (x *exchange) detach(session string, s *stream) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.attached, s.evict = false, nil
	if s.left != nil {
		close(s.left)
		s.left = nil
	}
	x.attached--
	x.used = time.Now()
	if session != "" && len(s.queue) == 0 && s.top == 0 {
		delete(x.streams, session)
	}
	notify(x.room)
}

// maxBatch is how much is written at once, in bytes.
const maxBatch = 64 << 10

// dequeue removes and returns what a stream can deliver now. If that is nothing, ended
// reports that nothing will follow. first is the number of the first message if the
// connection is resumable, and 0 otherwise.
func (x *exchange) dequeue(s *stream) (batch [][]byte, first int64, ended bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(s.queue) == 0 {
		return nil, 0, x.ended
	}
	n, size := 0, 0
	for n < len(s.queue) && (n == 0 || size+len(s.queue[n]) <= maxBatch) && x.fits(s, n, size, len(s.queue[n])) {
		size += len(s.queue[n])
		n++
	}
	if n == 0 {
		return nil, 0, false // until the client reports
	}
	batch = s.queue[:n:n]
	s.queue, s.busy = s.queue[n:], true
	if x.resumable {
		first = s.first + int64(len(s.history)) + 1
		x.keep(s, batch)
		s.top = max(s.top, first+int64(len(batch))-1)
	}
	return batch, first, false
}

// done records that a batch was delivered.
func (x *exchange) done(s *stream, batch [][]byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.busy = false
	for _, text := range batch {
		x.buffered -= len(text)
	}
	notify(x.room)
	notify(s.wake)
}

// finish declares that nothing more will be written.
func (x *exchange) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ended = true
	for _, s := range x.streams {
		notify(s.wake)
	}
}

// dismiss records that the client ended the connection, and reads nothing more.
func (x *exchange) dismiss() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.dismissed = true
	notify(x.room)
}

// touch records that the client is active.
func (x *exchange) touch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.used = time.Now()
}

// isAway reports whether the client reads no stream, or no longer sends heartbeats, although
// it may come back.
func (x *exchange) isAway() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.attached == 0 || !x.beaten.IsZero() && time.Since(x.beaten) > silence
}

// waiting reports whether the client has the connection's id but has never attached a
// stream, and since when.
func (x *exchange) waiting() (since time.Time, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.used, !x.streamed && !x.used.IsZero()
}

// watch ends the connection if no stream is open for a while, or if the token was
// revoked.
func (x *exchange) watch() {
	ticker := time.NewTicker(min(x.limits.Heartbeat, x.limits.Orphan))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-x.dead.Done():
			return
		}
		x.mu.Lock()
		patience := x.limits.Orphan
		if x.resumable {
			patience = x.limits.Retain
		}
		orphan := x.attached == 0 && !x.used.IsZero() && time.Since(x.used) > patience
		x.mu.Unlock()
		switch {
		case !x.valid():
			x.fail(errRevoked)
		case orphan:
			x.fail(errOrphan)
		}
	}
}
