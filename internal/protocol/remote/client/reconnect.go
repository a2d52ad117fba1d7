package client

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

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

// fraction returns a random number that is at least 0 and below 1. It comes from crypto/rand,
// which tests can make repeatable.
func fraction() float64 {
	var n [8]byte
	_, _ = rand.Read(n[:]) // never fails
	return float64(binary.LittleEndian.Uint64(n[:])>>11) / (1 << 53)
}

// again connects after a failure, until it succeeds or is hopeless.
func (r *resumable) again(ctx context.Context, cause error) (*socket, error) {
	began, pause := time.Now(), firstPause
	for {
		select {
		case <-time.After(pause/2 + time.Duration(fraction()*float64(pause))):
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
