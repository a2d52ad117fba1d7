package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// maxFrame bounds how much of a too long message is read in order to skip it, in bytes.
const maxFrame = 8 * remote.MaxMessage

// tooLong answers a message that is too long to be read. JSON-RPC requires a null id if
// the request's id is unknown.
var tooLong = []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is longer than 32 MiB"}}`)

// A socket is a connection over a WebSocket.
type socket struct {
	*Conn

	ws      *websocket.Conn
	limits  Limits
	reading atomic.Bool // it is waiting for the client
	revoked atomic.Bool // its token is no longer valid
}

// webSocket serves a connection over a WebSocket.
func (h *Handler) webSocket(w http.ResponseWriter, r *http.Request) {
	if !h.admit(w, r) {
		return
	}
	defer h.leave()
	if wantsResumable(r) {
		h.resumable(w, r)
		return
	}
	s := &socket{limits: h.limits}
	c, ctx := h.newConn(guard.CallerOf(r.Context()), r.RemoteAddr, "websocket", s.send)
	s.Conn = c
	w.Header().Set(remote.HeaderConnection, c.ID)
	ws, err := websocket.Accept(strict{w}, r, &websocket.AcceptOptions{
		InsecureSkipVerify: true, // package guard has checked the origin
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil { // Accept has answered the request
		c.log.Info("not a WebSocket request", "error", err)
		return
	}
	s.ws = ws
	ws.SetReadLimit(maxFrame)
	read, pinged := make(chan struct{}), make(chan struct{})
	go func() { defer close(read); s.read() }()
	go func() { defer close(pinged); s.ping() }()
	h.serve(ctx, c)
	s.end(context.Cause(ctx))
	<-read
	<-pinged
}

// read reads the client's messages until the client has gone.
func (s *socket) read() {
	defer s.hangUp()
	for {
		s.reading.Store(true)
		kind, r, err := s.ws.Reader(s.dead)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(io.LimitReader(r, remote.MaxMessage+1))
		}
		if err == nil && len(text) > remote.MaxMessage {
			_, err = io.Copy(io.Discard, r)
		}
		s.reading.Store(false)
		switch {
		case err != nil:
			s.kill(fmt.Errorf("%w: %w", errGone, err))
			return
		case kind != websocket.MessageText:
			s.log.Debug("ignored a binary frame")
		case len(text) > remote.MaxMessage:
			s.log.Warn("rejected a message that is too long")
			if s.send(tooLong) != nil {
				return
			}
		default:
			if err := s.give(s.dead, text); err != nil {
				if errors.Is(err, errRevoked) {
					s.revoke()
				}
				return
			}
		}
	}
}

// send sends a message. It ends the connection if the client does not read in time.
func (s *socket) send(line []byte) error {
	ctx, stop := context.WithTimeoutCause(s.dead, s.limits.Stall, errStalled)
	defer stop()
	err := s.ws.Write(ctx, websocket.MessageText, line)
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	s.fail(err)
	return err
}

// ping sends pings. They detect dead clients, and keep intermediaries from closing an
// idle connection. While nobody reads the client's messages, its pongs are not read
// either, so a missing pong then means nothing.
func (s *socket) ping() {
	ticker := time.NewTicker(s.limits.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-s.dead.Done():
			return
		}
		if !s.valid() {
			s.revoke()
			return
		}
		read := s.reading.Load()
		ctx, stop := context.WithTimeout(s.dead, s.limits.Stall)
		err := s.ws.Ping(ctx)
		stop()
		if err != nil && read && s.reading.Load() {
			s.fail(errGone)
			return
		}
	}
}

// revoke ends a connection whose token is no longer valid.
func (s *socket) revoke() {
	s.revoked.Store(true) // first, because the connection may end as soon as its reader sees EOF
	s.hangUp()
	s.sayGoodbye(errRevoked)
	s.fail(errRevoked)
}

// end closes the WebSocket, with a close frame if the client is still there.
func (s *socket) end(why error) {
	if s.revoked.Load() {
		why = errRevoked
	}
	if s.dead.Err() == nil {
		s.sayGoodbye(why)
	}
	s.fail(errOver)
	_ = s.ws.CloseNow()
}

func (s *socket) sayGoodbye(why error) {
	code, reason := websocket.StatusNormalClosure, ""
	switch {
	case errors.Is(why, errStopping):
		code, reason = websocket.StatusGoingAway, errStopping.Error()
	case errors.Is(why, errRevoked):
		code, reason = websocket.StatusPolicyViolation, errRevoked.Error()
	}
	if err := s.ws.Close(code, reason); err != nil {
		s.log.Debug("closing the WebSocket", "error", err)
	}
}
