package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

const (
	// helloTimeout bounds the wait for a client's first frame, and for the end of the
	// client's previous WebSocket.
	helloTimeout = 10 * time.Second
	// silence is how long a client may send nothing, not even a heartbeat.
	silence = 4 * remote.Heartbeat
	// reportMessages and reportBytes are after how many received messages, or bytes, a
	// report is sent without waiting for the client's.
	reportMessages, reportBytes = 64, 64 << 10
)

// A wire is one WebSocket of a resumable connection.
type wire struct {
	ws     *websocket.Conn
	limits Limits
	ctx    context.Context
	stop   context.CancelCauseFunc
	link   *link
	sent   int64 // messages written, counted from the connection's start
	bye    bool  // the client was asked to acknowledge everything

	// The link's mutex guards the following fields.
	report         bool // a report is due
	messages, size int  // received since the last report
}

// wantsResumable reports whether a client asks for a resumable connection.
func wantsResumable(r *http.Request) bool {
	for _, list := range r.Header.Values("Sec-Websocket-Protocol") {
		for name := range strings.SplitSeq(list, ",") {
			if strings.TrimSpace(name) == remote.Resumable {
				return true
			}
		}
	}
	return false
}

// resumable serves a WebSocket that starts or resumes a resumable connection.
func (h *Handler) resumable(w http.ResponseWriter, r *http.Request) {
	caller := guard.CallerOf(r.Context())
	w.Header().Set(remote.HeaderResumable, remote.Resumable)
	ws, err := websocket.Accept(strict{w}, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // package guard has checked the origin
		CompressionMode:    websocket.CompressionDisabled,
		Subprotocols:       []string{remote.Resumable},
	})
	if err != nil { // Accept has answered the request
		h.log.Info("not a WebSocket request", "remote", r.RemoteAddr, "error", err)
		return
	}
	defer ws.CloseNow() //nolint:errcheck // it has ended
	ws.SetReadLimit(maxFrame)
	s := &wire{ws: ws, limits: h.limits}
	s.ctx, s.stop = context.WithCancelCause(context.Background())
	defer s.stop(errOver)
	hello, received, err := s.hello()
	if err != nil {
		h.log.Info("a client did not say what to resume", "remote", r.RemoteAddr, "error", err)
		_ = ws.Close(websocket.StatusProtocolError, "the first frame must be a hello") // it ends either way
		return
	}
	l := h.link(hello.Connection, caller.Token)
	if hello.Connection == "" {
		c, ctx := h.newConn(caller, r.RemoteAddr, "websocket", nil)
		if l = h.newLink(ctx, c); l == nil {
			_ = ws.Close(websocket.StatusTryAgainLater, errStopping.Error()) // it ends either way
			return
		}
	}
	if l == nil {
		s.unknown(h)
		return
	}
	s.link = l
	timer := time.AfterFunc(helloTimeout, func() { s.stop(errStalled) })
	err = l.attach(s, received)
	timer.Stop()
	switch {
	case errors.Is(err, remote.ErrHistory):
		l.fail(errGone)
		s.unknown(h)
		return
	case errors.Is(err, errOutdated):
		s.unknown(h)
		return
	case err != nil:
		return
	}
	if hello.Connection != "" {
		l.log.Info("a client came back")
	}
	s.serve(h)
	l.detach(s)
}

// hello reads the client's first frame.
func (s *wire) hello() (remote.Hello, int64, error) {
	ctx, stop := context.WithTimeout(s.ctx, helloTimeout)
	defer stop()
	kind, r, err := s.ws.Reader(ctx)
	if err != nil {
		return remote.Hello{}, 0, err
	}
	text, err := io.ReadAll(io.LimitReader(r, remote.MaxControl+1))
	if err != nil {
		return remote.Hello{}, 0, err
	}
	c, err := remote.ParseControl(text)
	if err == nil && (kind != websocket.MessageBinary || c.Hello == nil) {
		err = errors.New("it is no hello")
	}
	if err != nil {
		return remote.Hello{}, 0, err
	}
	return *c.Hello, c.Received, nil
}

// unknown tells the client that it can't resume.
func (s *wire) unknown(h *Handler) {
	if s.control(remote.Control{Hello: &remote.Hello{Instance: h.instance}}) == nil {
		_ = s.ws.Close(remote.StatusUnknown, "unknown connection") // it ends either way
	}
}

// serve reads and writes until the WebSocket ends.
func (s *wire) serve(h *Handler) {
	l := s.link
	l.mu.Lock()
	received := l.received
	l.mu.Unlock()
	hello := remote.Hello{Connection: l.ID, Instance: h.instance, Retention: int64(h.limits.Retain / time.Second)}
	if err := s.control(remote.Control{Hello: &hello, Received: received}); err != nil {
		s.stop(err)
		return
	}
	defer context.AfterFunc(l.dead, func() { s.stop(context.Cause(l.dead)) })()
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.stop(s.read())
	}()
	s.stop(s.write())
	_ = s.ws.CloseNow()
	<-read
}

// write writes messages and reports until the WebSocket ends.
func (s *wire) write() error {
	l := s.link
	for {
		l.mu.Lock()
		line, report, ended := l.sent.After(s.sent), s.report, l.ended
		received, size := l.received, l.sent.Size()
		if report {
			s.report, s.messages, s.size = false, 0, 0
		}
		l.mu.Unlock()
		switch {
		case errors.Is(ended, errRevoked):
			_ = s.ws.Close(websocket.StatusPolicyViolation, errRevoked.Error()) // it ends either way
			l.fail(errRevoked)
			return errRevoked
		case report:
			if err := s.control(remote.Control{Received: received}); err != nil {
				return err
			}
		case line != nil:
			if err := s.put(websocket.MessageText, line); err != nil {
				return err
			}
			s.sent++
		case ended != nil && size == 0:
			code, reason := websocket.StatusNormalClosure, ""
			if errors.Is(ended, errStopping) {
				code, reason = websocket.StatusGoingAway, errStopping.Error()
			}
			_ = s.ws.Close(code, reason) // it ends either way
			return errOver
		case ended != nil && !s.bye:
			s.bye = true
			if err := s.control(remote.Control{Received: received, Bye: true}); err != nil {
				return err
			}
		default:
			select {
			case <-l.wake:
			case <-s.ctx.Done():
				return context.Cause(s.ctx)
			}
		}
	}
}

func (s *wire) control(c remote.Control) error {
	return s.put(websocket.MessageBinary, c.Append(nil))
}

// put writes a frame. It fails if the client does not read in time.
func (s *wire) put(kind websocket.MessageType, text []byte) error {
	ctx, stop := context.WithTimeoutCause(s.ctx, s.limits.Stall, errStalled)
	defer stop()
	err := s.ws.Write(ctx, kind, text)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	return err
}

// read reads the client's frames until the WebSocket ends.
func (s *wire) read() error {
	for {
		kind, text, err := s.next()
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", errGone, err)
		case kind == websocket.MessageBinary:
			err = s.heard(text)
		default:
			err = s.take(text)
		}
		if err != nil {
			return err
		}
	}
}

// next reads a frame. It fails if nothing arrives for a while.
func (s *wire) next() (kind websocket.MessageType, text []byte, err error) {
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	timer := time.AfterFunc(silence, stop)
	defer timer.Stop()
	kind, r, err := s.ws.Reader(ctx)
	if err != nil {
		return kind, nil, err
	}
	alive := remote.Progress{Reader: r, Each: func() { timer.Reset(silence) }}
	if text, err = io.ReadAll(io.LimitReader(alive, remote.MaxMessage+1)); err == nil && len(text) > remote.MaxMessage {
		_, err = io.Copy(io.Discard, alive)
	}
	return kind, text, err
}

// heard handles a control frame.
func (s *wire) heard(text []byte) error {
	c, err := remote.ParseControl(text)
	if err != nil {
		return err
	}
	if err := s.link.acknowledged(c.Received); err != nil {
		s.link.fail(err)
		return err
	}
	if c.Bye {
		s.link.goodbye()
		return nil
	}
	s.link.mu.Lock()
	s.report = true
	s.link.mu.Unlock()
	notify(s.link.wake)
	return nil
}

// take passes a message on, and counts it.
func (s *wire) take(text []byte) error {
	l := s.link
	if len(text) > remote.MaxMessage {
		l.log.Warn("rejected a message that is too long")
		l.enqueue(tooLong) // not send: this goroutine reads the acknowledgements that send waits for
	} else if err := l.give(s.ctx, text); err != nil {
		if errors.Is(err, errRevoked) {
			l.revoke()
		}
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.received++
	s.messages++
	s.size += len(text)
	if s.messages >= reportMessages || s.size >= reportBytes {
		s.report = true
		notify(l.wake)
	}
	return nil
}
