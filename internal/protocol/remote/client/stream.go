package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	gosse "github.com/tmaxmax/go-sse"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// A stream delivers the server's messages for a session or for the connection.
type stream struct {
	ready  chan struct{} // closed when failed is known
	failed error
	stop   context.CancelFunc
	used   bool // its session is open, or was; the exchange guards it

	// The following fields are only for resumable connections.
	open  bool  // ready is closed
	known bool  // the server may have the stream
	last  int64 // the number of the last event; also guarded by the exchange
	again bool  // the session was closed before, and the server may have forgotten its stream
	// reported is the number of the last event of which the server knows that it was
	// received. size is that of the events since then, in bytes. The exchange guards both.
	reported  int64
	size      int
	reporting bool // a report is under way
}

// open opens a stream, unless it is open. first is delivered before the stream's
// messages; it may be nil.
func (x *exchange) open(session string, first []byte) *stream {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s := x.streams[session]; s != nil {
		return s
	}
	ctx, cancel := context.WithCancel(x.conn.ctx)
	last, again := x.closed[session]
	delete(x.closed, session)
	s := &stream{ready: make(chan struct{}), stop: cancel, last: last, again: again}
	x.streams[session] = s
	id := x.id
	x.conn.start(func() {
		defer cancel()
		var err error
		if x.resumable {
			err = x.persist(ctx, s, id, session, first)
		} else {
			err = x.follow(ctx, s, id, session, first)
		}
		x.mu.Lock()
		if x.streams[session] == s {
			delete(x.streams, session)
		} else {
			err = nil // the session was closed
		}
		x.mu.Unlock()
		if err != nil && x.conn.ctx.Err() == nil {
			x.fail(err)
		}
	})
	return s
}

// needsStream reports whether the stream of a session must be open before a message about it is
// posted. Only requests open the stream of a session again that was closed: other messages may be
// posted late.
func (x *exchange) needsStream(m remote.Message, session string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, closed := x.closed[session]
	return session != "" && (m.IsRequest() || !closed)
}

// openNamed opens the stream of a session that the server has opened.
func (x *exchange) openNamed(session string) {
	s := x.open(session, nil)
	x.mu.Lock()
	defer x.mu.Unlock()
	s.used = true
}

// await waits until the stream is open.
func (s *stream) await(ctx context.Context) error {
	select {
	case <-s.ready:
		return s.failed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// follow reads a stream to its end, which also ends the connection.
func (x *exchange) follow(ctx context.Context, s *stream, id, session string, first []byte) error {
	r, err := x.listen(ctx, id, session)
	if err != nil {
		s.failed = x.conn.lost(plain(ctx, err))
		close(s.ready)
		return s.failed
	}
	defer r.Body.Close() //nolint:errcheck // it was read
	if r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), remote.TypeEvents) {
		s.failed = x.conn.lost(statusError(r))
		close(s.ready)
		return s.failed
	}
	close(s.ready)
	if first != nil {
		if x.conn.deliver(first) != nil {
			return errClosed
		}
		close(x.greeted)
	}
	for e, err := range gosse.Read(r.Body, &gosse.ReadConfig{MaxEventSize: maxMessage}) {
		if err != nil {
			return x.conn.lost(plain(ctx, err))
		}
		if strings.TrimSpace(e.Data) == "" {
			continue // a heartbeat
		}
		if err := x.handle(session, []byte(e.Data)); err != nil {
			return err
		}
	}
	if session != "" {
		return x.conn.lost(fmt.Errorf("the server closed the stream of session %.80q", session))
	}
	return x.conn.lost(errors.New("the server closed it"))
}

// listen requests a stream. It retries on a conflict, because the server may not have
// noticed yet that our previous request has ended.
func (x *exchange) listen(ctx context.Context, id, session string) (*http.Response, error) {
	for wait := 20 * time.Millisecond; ; wait *= 2 {
		r, err := x.request(ctx, http.MethodGet, http.NoBody, id, session, "", "")
		if err != nil || r.StatusCode != http.StatusConflict || wait > maxConflict {
			return r, err
		}
		_ = r.Body.Close()
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// maxConflict is the longest pause between two attempts to get a stream.
const maxConflict = time.Second

// handle processes a message from the server.
func (x *exchange) handle(session string, text []byte) error {
	m, _ := remote.Parse(text) // an invalid message belongs to no session
	x.note(session, m)
	if x.conn.deliver(text) != nil {
		return errClosed
	}
	if m.Opened != "" && x.count() < maxStreams {
		x.openNamed(m.Opened) // later messages of that session arrive there
	}
	return nil
}

// note records a message's effects on later ones.
func (x *exchange) note(session string, m remote.Message) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case m.IsRequest() && session != "":
		if len(x.asked) < maxAsked {
			x.asked[m.ID] = session
		}
	case m.IsAnswer() && m.ID != "":
		x.answered(m.ID, !m.Failed)
	}
}

// about is what is known of the unanswered requests about a session.
type about struct {
	unanswered int
	ended      bool // the session was closed meanwhile
}

// answered records that a request of ours was answered, and whether it succeeded. Once all requests
// about a session are answered, nobody reads its stream if the session was closed, or could not be
// opened. The caller holds the lock.
func (x *exchange) answered(id string, succeeded bool) {
	m, ok := x.sent[id]
	if !ok {
		return
	}
	delete(x.sent, id)
	a, s := x.about[m.Session], x.streams[m.Session]
	a.unanswered--
	if succeeded {
		reopens := m.OpensSession() && m.UsesSession()
		a.ended = m.EndsSession() || a.ended && !reopens
		if s != nil && m.UsesSession() {
			s.used = true
		}
	}
	if a.unanswered > 0 {
		x.about[m.Session] = a
		return
	}
	delete(x.about, m.Session)
	if s == nil || s.used && !a.ended {
		return
	}
	delete(x.streams, m.Session)
	x.closed[m.Session] = s.last
	if x.resumable {
		x.reportLater(m.Session, s)
	}
	s.stop()
}

func (x *exchange) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.streams)
}

// maxStreams bounds the streams that a server can cause to be opened by naming
// sessions.
const maxStreams = 1 << 10

// maxAsked bounds the server's requests whose sessions are remembered. For requests
// beyond it, responses lack the session header.
const maxAsked = 1 << 14
