package server

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// maxPosts is how many messages of a connection are received at once: each may
// be long.
const maxPosts = 8

// An exchange is a connection over HTTP: messages come as requests, and go out on
// streams.
type exchange struct {
	*Conn

	limits Limits
	posts  chan struct{} // holds one for each message that is being received
	over   chan struct{} // closed when it is served no more
	left   chan struct{} // closed when its place is free again
	hello  chan []byte   // gets the answer to "initialize"
	room   chan struct{} // holds one where a stream has delivered something

	mu       sync.Mutex
	greeted  bool               // hello has got it
	pending  map[string]pending // the client's requests without an answer
	asked    map[string]string  // where requests went that the client has not answered
	streams  map[string]*stream
	attached int
	streamed bool      // a stream was attached once
	used     time.Time // when a stream was last attached, or a message came; zero before the client has a connection
	buffered int       // bytes in all streams
	ended    bool      // nothing more will be written
}

// A stream holds what waits to be delivered to a session, or to the connection.
type stream struct {
	queue    [][]byte
	busy     bool          // messages are being delivered
	attached bool          // the client reads it
	wake     chan struct{} // holds one where there may be something to do
}

func newExchange(l Limits) *exchange {
	x := &exchange{
		limits: l, posts: make(chan struct{}, maxPosts), over: make(chan struct{}), left: make(chan struct{}), hello: make(chan []byte, 1), room: make(chan struct{}, 1),
		pending: make(map[string]pending), asked: make(map[string]string), streams: make(map[string]*stream),
	}
	x.streams[""] = newStream()
	return x
}

func newStream() *stream { return &stream{wake: make(chan struct{}, 1)} }

// notify leaves a note in a channel that has room for one.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// A pending request waits for its answer.
type pending struct {
	scope string // the session that it was sent with, or ""
	opens bool   // it opens that, or another one
}

// expect notes where the answer to a request goes, and reports whether there is
// room for another one.
func (x *exchange) expect(m remote.Message, scope string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.pending) >= x.limits.Requests {
		return false
	}
	x.pending[m.ID] = pending{scope, m.OpensSession()}
	return true
}

// route queues a message for the stream that it belongs to. It waits while too
// much waits for the client.
func (x *exchange) route(line []byte) error {
	line = remote.OneLine(bytes.Clone(line)) // a bare CR would end a line of an event
	if !x.await(len(line)) {
		return context.Cause(x.dead)
	}
	m, err := remote.Parse(line) // what is none belongs to the connection
	x.mu.Lock()
	defer x.mu.Unlock()
	if err == nil && m.IsAnswer() && !x.greeted {
		x.greeted = true
		x.hello <- line
		return nil
	}
	scope := x.scope(m)
	s := x.streams[scope]
	if s == nil {
		if len(x.streams) > x.limits.Streams {
			x.log.Warn("there are too many sessions for a stream of their own")
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

// scope is the session whose stream a message goes to, or "". The lock is held.
func (x *exchange) scope(m remote.Message) string {
	switch {
	case m.IsAnswer():
		p := x.pending[m.ID]
		delete(x.pending, m.ID)
		if s := x.streams[p.scope]; p.opens && (s == nil || !s.attached) {
			return "" // the client may open the stream only when it has the answer
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

// maxAsked bounds the requests whose streams are remembered.
const maxAsked = 1 << 14

// answered notes that the client has answered a request.
func (x *exchange) answered(m remote.Message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.asked, m.ID)
}

// await waits for room for size more bytes. It is false at the end of the
// connection.
func (x *exchange) await(size int) bool {
	timer := time.NewTimer(x.limits.Stall)
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
			timer.Reset(x.limits.Stall)
		case <-timer.C:
			x.fail(errStalled)
			return false
		case <-x.dead.Done():
			return false
		}
	}
}

// attach lets a client read the stream of a session, or of the connection. It
// returns nil where somebody reads it, and false where there are too many.
func (x *exchange) attach(session string) (s *stream, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s = x.streams[session]
	if s == nil {
		if len(x.streams) > x.limits.Streams {
			return nil, false
		}
		s = newStream()
		x.streams[session] = s
	}
	if s.attached {
		return nil, true
	}
	s.attached, x.streamed = true, true
	x.attached++
	return s, true
}

// detach takes back what attach has done.
func (x *exchange) detach(session string, s *stream) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s.attached = false
	x.attached--
	x.used = time.Now()
	if session != "" && len(s.queue) == 0 {
		delete(x.streams, session)
	}
	notify(x.room)
}

// maxBatch is how much is written at once.
const maxBatch = 64 << 10

// take takes what a stream can deliver now. Where that is nothing, over says
// that nothing will come any more.
func (x *exchange) take(s *stream) (batch [][]byte, over bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(s.queue) == 0 {
		return nil, x.ended
	}
	n, size := 0, 0
	for n < len(s.queue) && (n == 0 || size+len(s.queue[n]) <= maxBatch) {
		size += len(s.queue[n])
		n++
	}
	batch = s.queue[:n:n]
	s.queue, s.busy = s.queue[n:], true
	return batch, false
}

// done notes that a batch was delivered.
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

// finish says that nothing more will be written.
func (x *exchange) finish() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ended = true
	for _, s := range x.streams {
		notify(s.wake)
	}
}

// touch notes that the client is there.
func (x *exchange) touch() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.used = time.Now()
}

// waiting reports whether the client has a connection, but has read nothing of it, and
// since when.
func (x *exchange) waiting() (since time.Time, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.used, !x.streamed && !x.used.IsZero()
}

// watch gives the connection up when nobody has opened a stream for a while, or
// the token was revoked.
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
		orphan := x.attached == 0 && !x.used.IsZero() && time.Since(x.used) > x.limits.Orphan
		x.mu.Unlock()
		switch {
		case !x.valid():
			x.fail(errRevoked)
		case orphan:
			x.fail(errOrphan)
		}
	}
}
