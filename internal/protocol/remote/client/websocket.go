package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

const (
	// heartbeat is the interval of pings.
	heartbeat = 30 * time.Second
	// patience is how long the server may take to respond to one.
	patience = time.Minute
)

// A socket is a connection by WebSocket.
type socket struct {
	conn    *Conn
	ready   chan struct{} // closed when the connection is established
	ws      *websocket.Conn
	reading atomic.Bool // it is waiting for the server
	resumes bool        // the server supports [remote.Resumable]
	sent    int64       // messages written, counted from the connection's start; only if it is resumable
}

func newSocket(c *Conn) *socket { return &socket{conn: c, ready: make(chan struct{})} }

func (s *socket) run(ctx context.Context) error {
	if err := s.dial(ctx); err != nil {
		return s.conn.noConnection(err)
	}
	close(s.ready)
	s.conn.start(func() { s.ping(ctx) })
	defer s.ws.CloseNow() //nolint:errcheck // it has ended
	for {
		s.reading.Store(true)
		kind, r, err := s.ws.Reader(ctx)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(r)
		}
		s.reading.Store(false)
		switch {
		case err != nil:
			return s.conn.lost(closed(ctx, err))
		case kind != websocket.MessageText:
			s.conn.config.Log.Debug("ignored a binary frame")
		default:
			if s.conn.deliver(text) != nil {
				return errClosed
			}
		}
	}
}

// dial connects, and asks for a subprotocol.
func (s *socket) dial(ctx context.Context, subprotocols ...string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTimeout, errLate)
	defer cancel()
	once := *s.conn.http
	once.Transport = strict{once.Transport}
	ws, r, err := websocket.Dial(ctx, s.conn.config.URL, &websocket.DialOptions{
		HTTPClient: &once, HTTPHeader: s.conn.config.Header.Clone(), CompressionMode: websocket.CompressionDisabled,
		Subprotocols: subprotocols,
	})
	if err != nil && r != nil && r.StatusCode/100 != 1 {
		defer r.Body.Close() //nolint:errcheck // only its beginning is of interest
		return statusError(r)
	}
	if err != nil {
		return plain(ctx, err)
	}
	ws.SetReadLimit(maxMessage)
	s.ws = ws
	s.resumes = ws.Subprotocol() == remote.Resumable && r.Header.Get(remote.HeaderResumable) == remote.Resumable
	return nil
}

// closed returns why the server ended the connection.
func closed(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if e, ok := errors.AsType[websocket.CloseError](err); ok {
		if e.Reason != "" {
			return fmt.Errorf("the server closed it (%d: %s)", e.Code, oneLine(e.Reason))
		}
		return fmt.Errorf("the server closed it (%d)", e.Code)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the server disconnected")
	}
	return err
}

func (s *socket) send(line []byte) error {
	ctx := s.conn.ctx
	select {
	case <-s.ready:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := s.ws.Write(ctx, websocket.MessageText, line); err != nil {
		// The reader may know the reason, because a server sends a close frame before
		// it goes.
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(byeTimeout):
		}
		return s.conn.lost(closed(ctx, err))
	}
	return nil
}

// ping detects a server that disappeared without closing the connection.
func (s *socket) ping(ctx context.Context) {
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		read := s.reading.Load()
		limited, cancel := context.WithTimeout(ctx, patience)
		err := s.ws.Ping(limited)
		cancel()
		// While nobody reads the server's messages, its pongs are not read either.
		if err != nil && ctx.Err() == nil && read && s.reading.Load() {
			s.conn.end(s.conn.lost(fmt.Errorf("the server was silent for %s", patience)))
			return
		}
	}
}

func (s *socket) close(ctx context.Context) {
	select {
	case <-s.ready:
	default:
		return
	}
	closed := make(chan struct{})
	s.conn.start(func() {
		defer close(closed)
		_ = s.ws.Close(websocket.StatusNormalClosure, "") // it ends either way
	})
	select {
	case <-closed:
	case <-ctx.Done():
		_ = s.ws.CloseNow()
	}
}
