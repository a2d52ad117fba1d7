package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

const (
	// silence is how long the server may send nothing. Because it answers heartbeats, a
	// longer silence means that it can't be reached.
	silence = 8 * time.Second
	// redialTimeout bounds an attempt to reconnect.
	redialTimeout = 5 * time.Second
	// firstPause is the pause after the first failed attempt to reconnect. Each pause is
	// twice the one before, up to Resume.MaxPause.
	firstPause = 100 * time.Millisecond
	// maxUnsent bounds the messages that the server has not acknowledged, in bytes.
	// Writes then wait. A single message may exceed it.
	maxUnsent = 64 << 20
	// reportMessages and reportBytes are after how many received messages, or bytes, the
	// server gets a report.
	reportMessages, reportBytes = 64, 64 << 10
)

// Resume makes a connection survive the loss of its WebSocket. Its functions are called
// one at a time, and must not block.
type Resume struct {
	// Lost is called when the WebSocket is lost. The connection is then restored in the
	// background. It may be nil.
	Lost func(cause error)
	// Back is called when the connection is restored. It may be nil.
	Back func()
	// Patience is how long to try to reach the server. After that, the connection ends.
	// Zero means forever.
	Patience time.Duration
	// Await also tries again if the first attempt to connect fails.
	Await bool
	// MaxPause is the longest pause between two attempts to reconnect. Default: two
	// seconds.
	MaxPause time.Duration
}

// A ResetError says that the server is reachable, but no longer has the connection. What
// was sent and not answered is lost.
type ResetError struct {
	// Restarted reports whether another process serves now, or will.
	Restarted bool
	// Stopped reports whether somebody stopped the server.
	Stopped bool
}

// Error implements error.
func (e *ResetError) Error() string {
	if e.Restarted {
		return "the server was restarted"
	}
	return "the server no longer has the connection"
}

// A resumable is a connection that survives its WebSockets, if the server supports it.
type resumable struct {
	conn   *Conn
	resume Resume
	wake   chan struct{} // signals the writer
	room   chan struct{} // signals that the server acknowledged something

	mu       sync.Mutex
	out      remote.Window
	written  int64 // messages that were written to some WebSocket, or are being written
	received int64 // messages that were delivered
	report   bool  // a report is due
	unsaid   int   // messages received since the last report
	size     int   // and their bytes
	bye      bool  // this side ends the connection
	said     chan struct{}

	// Only the goroutine in run uses the following fields.
	id, instance string
	plain        bool // the server can't resume
}

func newResumable(c *Conn, r Resume) *resumable {
	if r.MaxPause == 0 {
		r.MaxPause = 2 * time.Second
	}
	return &resumable{
		conn: c, resume: r, wake: make(chan struct{}, 1), room: make(chan struct{}, 1), said: make(chan struct{}),
	}
}

// Amend replaces each message that the server has not acknowledged by the result of
// change, unless the server has received it already. It does nothing if the connection
// can't be resumed.
func (c *Conn) Amend(change func(line []byte) []byte) {
	if r, ok := c.carrier.(*resumable); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.out.Amend(change)
	}
}

// Unsent returns the messages that were never written to the network, so the server can't
// have received them. It returns nil if the connection can't be resumed.
func (c *Conn) Unsent() (lines [][]byte) {
	r, ok := c.carrier.(*resumable)
	if !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := r.written; ; n++ {
		line := r.out.After(n)
		if line == nil {
			return lines
		}
		lines = append(lines, line)
	}
}

// send queues a message. It waits while too much is queued.
func (r *resumable) send(line []byte) error {
	for {
		r.mu.Lock()
		if size := r.out.Size(); size == 0 || size+len(line) <= maxUnsent {
			r.out.Add(append([]byte(nil), line...))
			r.mu.Unlock()
			signal(r.wake)
			return nil
		}
		r.mu.Unlock()
		select {
		case <-r.room:
		case <-r.conn.ctx.Done():
			return context.Cause(r.conn.ctx)
		}
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run connects, and again each time the WebSocket is lost.
func (r *resumable) run(ctx context.Context) error {
	s, err := r.first(ctx)
	for err == nil {
		err = r.serve(ctx, s)
		if err == nil || ctx.Err() != nil || r.plain {
			break
		}
		if final := r.final(err); final != nil {
			return final
		}
		r.tell(err)
		if s, err = r.again(ctx, err); err == nil && r.resume.Back != nil {
			r.resume.Back()
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return r.conn.lost(closed(ctx, err))
}

func (r *resumable) tell(cause error) {
	r.conn.config.Log.Info("lost the WebSocket", "cause", cause)
	if r.resume.Lost != nil {
		r.resume.Lost(cause)
	}
}

// final returns the error that ends the connection if the WebSocket ended with err, or
// nil if it may be resumed.
func (r *resumable) final(err error) error {
	e, ok := errors.AsType[websocket.CloseError](err)
	if !ok {
		return nil
	}
	switch e.Code {
	case remote.StatusUnknown, websocket.StatusNormalClosure:
		return r.conn.lost(&ResetError{})
	case websocket.StatusGoingAway:
		return r.conn.lost(&ResetError{Restarted: true, Stopped: true})
	case websocket.StatusPolicyViolation:
		return r.conn.lost(closed(r.conn.ctx, err))
	}
	return nil
}

// first connects for the first time.
func (r *resumable) first(ctx context.Context) (*socket, error) {
	s := newSocket(r.conn)
	err := s.dial(ctx, remote.Resumable)
	if err == nil && !s.resumes {
		r.plain = true
		return s, nil
	}
	if err == nil {
		if err = r.greet(ctx, s); err == nil {
			return s, nil
		}
	}
	if r.resume.Await && !hopeless(err) {
		return r.again(ctx, err)
	}
	return nil, r.conn.noConnection(err)
}

// again connects after a failure, until it succeeds or is hopeless.
func (r *resumable) again(ctx context.Context, cause error) (*socket, error) {
	began, pause := time.Now(), firstPause
	for {
		select {
		case <-time.After(pause/2 + rand.N(pause)): //nolint:gosec // it only spreads attempts
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		pause = min(2*pause, r.resume.MaxPause)
		s, err := r.redial(ctx)
		switch {
		case err == nil:
			return s, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case hopeless(err):
			return nil, err
		case r.resume.Patience > 0 && time.Since(began) > r.resume.Patience:
			return nil, fmt.Errorf("%w; the server could not be reached again for %s: %w", cause, r.resume.Patience, err)
		}
		r.conn.config.Log.Debug("cannot reconnect yet", "error", err)
	}
}

func (r *resumable) redial(ctx context.Context) (*socket, error) {
	limited, cancel := context.WithTimeout(ctx, redialTimeout)
	defer cancel()
	s := newSocket(r.conn)
	if err := s.dial(limited, remote.Resumable); err != nil {
		return nil, err
	}
	if !s.resumes {
		if r.id == "" {
			r.plain = true
			return s, nil
		}
		_ = s.ws.CloseNow()
		return nil, &ResetError{Restarted: true} // an older server runs now
	}
	if err := r.greet(limited, s); err != nil {
		_ = s.ws.CloseNow()
		return nil, err
	}
	return s, nil
}

// hopeless reports whether another attempt to connect would fail too.
func hopeless(err error) bool {
	if _, ok := errors.AsType[*ResetError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*EndError](err); ok {
		return true
	}
	status, ok := errors.AsType[*StatusError](err)
	if !ok {
		return false
	}
	switch status.Status {
	case http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status.Status < 500
}

// greet starts or resumes the connection on a new WebSocket.
func (r *resumable) greet(ctx context.Context, s *socket) error {
	ctx, stop := context.WithTimeout(ctx, connectTimeout)
	defer stop()
	r.mu.Lock()
	received := r.received
	r.mu.Unlock()
	hello := remote.Control{Hello: &remote.Hello{Connection: r.id}, Received: received}
	if err := s.ws.Write(ctx, websocket.MessageBinary, hello.Append(nil)); err != nil {
		return closed(ctx, err)
	}
	kind, text, err := s.ws.Read(ctx)
	if err != nil {
		return closed(ctx, err)
	}
	c, err := remote.ParseControl(text)
	if err != nil || kind != websocket.MessageBinary || c.Hello == nil {
		return r.conn.lost(errors.New("the server does not resume connections as it promised"))
	}
	if c.Hello.Connection == "" || r.id != "" && c.Hello.Connection != r.id {
		return &ResetError{Restarted: c.Hello.Instance != r.instance}
	}
	r.id, r.instance = c.Hello.Connection, c.Hello.Instance
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out.Ack(c.Received) != nil {
		return &ResetError{}
	}
	s.sent = c.Received
	r.report, r.unsaid, r.size = false, 0, 0
	signal(r.room)
	return nil
}

// serve reads and writes until the WebSocket ends.
func (r *resumable) serve(ctx context.Context, s *socket) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var work sync.WaitGroup
	work.Go(func() {
		if err := r.write(ctx, s); err != nil {
			r.conn.config.Log.Debug("the WebSocket's writer ended", "error", err)
			// The reader may know the reason, because a server sends a close frame
			// before it goes.
			timer := time.AfterFunc(byeTimeout, stop)
			<-ctx.Done()
			timer.Stop()
		}
	})
	if r.plain {
		work.Go(func() { s.ping(ctx) })
	} else {
		work.Go(func() { r.beat(ctx) })
	}
	err := r.read(ctx, s)
	stop()
	_ = s.ws.CloseNow()
	work.Wait()
	return err
}

// read reads the server's frames until the WebSocket ends.
func (r *resumable) read(ctx context.Context, s *socket) error {
	for {
		kind, text, err := r.next(ctx, s)
		switch {
		case err != nil:
			if _, ok := errors.AsType[websocket.CloseError](err); ok {
				return err
			}
			return closed(ctx, err)
		case kind == websocket.MessageBinary && !r.plain:
			if err := r.acknowledged(text); err != nil {
				return err
			}
			continue
		case kind == websocket.MessageBinary:
			continue
		}
		if err := r.conn.deliver(text); err != nil {
			return errClosed
		}
		r.mu.Lock()
		r.received++
		r.unsaid++
		r.size += len(text)
		if r.unsaid >= reportMessages || r.size >= reportBytes {
			r.report = true
			signal(r.wake)
		}
		r.mu.Unlock()
	}
}

var errSilent = fmt.Errorf("the server was silent for %s", silence)

// next reads a frame. It fails if nothing arrives for a while.
func (r *resumable) next(ctx context.Context, s *socket) (kind websocket.MessageType, text []byte, err error) {
	if r.plain {
		s.reading.Store(true)
		defer s.reading.Store(false)
		return s.ws.Read(ctx)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	timer := time.AfterFunc(silence, func() { stop(errSilent) })
	defer timer.Stop()
	kind, body, err := s.ws.Reader(ctx)
	if err == nil {
		text, err = io.ReadAll(remote.Progress{Reader: body, Each: func() { timer.Reset(silence) }})
	}
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		err = errSilent
	}
	return kind, text, err
}

// acknowledged handles the server's report.
func (r *resumable) acknowledged(text []byte) error {
	c, err := remote.ParseControl(text)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	signal(r.room)
	if c.Bye {
		r.report = true
		signal(r.wake)
	}
	return r.out.Ack(c.Received)
}

// beat sends a report at regular intervals.
func (r *resumable) beat(ctx context.Context) {
	ticker := time.NewTicker(remote.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		r.mu.Lock()
		r.report = true
		r.mu.Unlock()
		signal(r.wake)
	}
}

// write writes messages and reports until the WebSocket ends.
func (r *resumable) write(ctx context.Context, s *socket) error {
	for {
		r.mu.Lock()
		line, bye := r.out.After(s.sent), r.bye
		report := r.report && !r.plain
		if line != nil && !report {
			r.written = max(r.written, s.sent+1)
		}
		c := remote.Control{Received: r.received, Bye: bye && line == nil}
		if report {
			r.report, r.unsaid, r.size = false, 0, 0
		}
		r.mu.Unlock()
		switch {
		case report || c.Bye && !r.plain:
			if err := s.ws.Write(ctx, websocket.MessageBinary, c.Append(nil)); err != nil {
				return err
			}
		case line != nil:
			if err := s.ws.Write(ctx, websocket.MessageText, line); err != nil {
				return err
			}
			s.sent++
			if r.plain {
				r.mu.Lock()
				_ = r.out.Ack(s.sent) // it was just sent
				r.mu.Unlock()
				signal(r.room)
			}
			continue
		}
		if c.Bye {
			_ = s.ws.Close(websocket.StatusNormalClosure, "") // it ends either way
			close(r.said)
			return nil
		}
		if report {
			continue
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// close sends what is queued, and then ends the connection.
func (r *resumable) close(ctx context.Context) {
	r.mu.Lock()
	r.bye = true
	r.mu.Unlock()
	signal(r.wake)
	select {
	case <-r.said:
	case <-r.conn.ctx.Done():
	case <-ctx.Done():
	}
}
