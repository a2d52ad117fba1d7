package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

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
