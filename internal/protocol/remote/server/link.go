package server

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// maxUnread bounds the messages of a resumable connection that the client has not
// acknowledged, in bytes. A single message may exceed it. It is small, because what waits
// above this package is folded while it waits, and what waits here is not.
const maxUnread = 1 << 20

// Errors that end a resumable connection, or one of its WebSockets.
var (
	errAway     = errors.New("the client did not come back")
	errCrowded  = errors.New("too many clients are away")
	errReplaced = errors.New("the client resumed on another WebSocket")
	errOutdated = errors.New("the client had received more already")
)

// A link is a resumable connection. It outlives its WebSockets, of which it has one at a
// time. See [remote.Resumable].
type link struct {
	*Conn

	handler *Handler
	wake    chan struct{} // signals the WebSocket's writer
	room    chan struct{} // signals that the client acknowledged something
	seat    chan struct{} // full while a WebSocket reads or writes
	drained chan struct{} // signals that a WebSocket delivered everything, or is gone

	mu       sync.Mutex
	sent     remote.Window
	received int64 // the client's messages that were passed on
	newest   *wire // the WebSocket that has the seat, or waits for it; nil while the client is away
	bye      bool  // the client ended the connection
	ended    error // why nothing more will be sent; nil before
	away     *time.Timer
	since    time.Time // when the client went away
}

// newLink starts a resumable connection. It returns nil if the server is shutting down.
func (h *Handler) newLink(ctx context.Context, c *Conn) *link {
	l := &link{
		Conn: c, handler: h, wake: make(chan struct{}, 1), room: make(chan struct{}, 1),
		seat: make(chan struct{}, 1), drained: make(chan struct{}, 1),
	}
	c.lines.Each = l.send
	c.away = func() bool {
		_, away := l.isAway()
		return away
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ending {
		c.fail(errStopping)
		c.cancel(errStopping)
		return nil
	}
	h.links[c.ID] = l
	h.work.Add(2)
	go func() { defer h.work.Done(); l.watch() }()
	go func() {
		defer h.work.Done()
		h.serve(ctx, c)
		l.finish(context.Cause(ctx))
		l.fail(errOver)
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.links, c.ID)
	}()
	return l
}

// link returns the resumable connection that a client may resume, or nil.
func (h *Handler) link(id, token string) *link {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l := h.links[id]; l != nil && l.Token == token {
		return l
	}
	return nil
}

// send queues a message for the client. It waits while too much is unacknowledged,
// whether or not the client is away.
func (l *link) send(line []byte) error {
	for {
		l.mu.Lock()
		if size := l.sent.Size(); size == 0 || size+len(line) <= maxUnread {
			l.mu.Unlock()
			l.enqueue(line)
			return nil
		}
		l.mu.Unlock()
		select {
		case <-l.room:
		case <-l.dead.Done():
			return context.Cause(l.dead)
		}
	}
}

// enqueue queues a message for the client, however much is unacknowledged.
func (l *link) enqueue(line []byte) {
	l.mu.Lock()
	l.sent.Add(bytes.Clone(line))
	l.mu.Unlock()
	notify(l.wake)
}

// attach gives the seat to a WebSocket, whose client has received a number of messages.
// It waits until the previous WebSocket has passed on what it read. It returns
// [remote.ErrHistory] if the client can't continue, and errOutdated if the client has
// continued on another WebSocket, because a slow network may deliver its request late.
func (l *link) attach(w *wire, received int64) error {
	l.mu.Lock()
	if l.sent.Acked() > received {
		l.mu.Unlock()
		return errOutdated
	}
	if l.newest != nil {
		l.newest.stop(errReplaced)
	}
	l.newest = w
	l.mu.Unlock()
	select {
	case l.seat <- struct{}{}:
	case <-w.ctx.Done():
		l.park(w)
		return context.Cause(w.ctx)
	case <-l.dead.Done():
		return remote.ErrHistory
	}
	err := l.resume(w, received)
	if err != nil {
		l.detach(w)
	}
	return err
}

// resume continues on a WebSocket that has the seat.
func (l *link) resume(w *wire, received int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.newest != w:
		return errReplaced
	case l.bye || l.dead.Err() != nil || l.ended != nil && l.sent.Size() == 0:
		return remote.ErrHistory
	case l.sent.Acked() > received:
		return errOutdated
	}
	if err := l.sent.Ack(received); err != nil {
		return err
	}
	if l.away != nil {
		l.away.Stop()
		l.away = nil
	}
	w.sent = received
	notify(l.room)
	return nil
}

// detach takes the seat from a WebSocket that neither reads nor writes any more.
func (l *link) detach(w *wire) {
	<-l.seat
	l.park(w)
}

// park keeps the connection for a while, in case the client comes back.
func (l *link) park(w *wire) {
	l.mu.Lock()
	if l.newest != w {
		l.mu.Unlock()
		return // it came back already
	}
	l.newest = nil
	over := l.bye || l.ended != nil || l.dead.Err() != nil
	if !over {
		l.since = time.Now()
		l.away = time.AfterFunc(l.handler.limits.Retain, func() { l.fail(errAway) })
	}
	l.mu.Unlock()
	notify(l.drained)
	if !over {
		l.log.Info("a client is away", "cause", context.Cause(w.ctx))
		l.handler.limitAway(l.Token)
	}
}

// limitAway ends the connection whose client has been away longest if the token has too
// many.
func (h *Handler) limitAway(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var oldest *link
	var began time.Time
	count := 0
	for _, l := range h.links {
		since, away := l.isAway()
		if !away || l.Token != token {
			continue
		}
		if count++; oldest == nil || since.Before(began) {
			oldest, began = l, since
		}
	}
	if count > h.limits.Away {
		oldest.fail(errCrowded)
	}
}

func (l *link) isAway() (since time.Time, away bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.since, l.newest == nil && l.away != nil && l.dead.Err() == nil
}

// acknowledged handles the client's report of how many messages it received.
func (l *link) acknowledged(received int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.sent.Ack(received)
	notify(l.room)
	if l.ended != nil {
		notify(l.wake)
	}
	return err
}

// goodbye handles the client's end of the connection.
func (l *link) goodbye() {
	l.mu.Lock()
	l.bye = true
	l.mu.Unlock()
	l.hangUp()
}

// finish waits until the client has got everything.
func (l *link) finish(why error) {
	l.mu.Lock()
	if l.ended == nil {
		l.ended = why
	}
	if l.ended == nil {
		l.ended = errOver
	}
	if l.away != nil {
		l.away.Stop()
	}
	l.mu.Unlock()
	notify(l.wake)
	timer := time.NewTimer(l.handler.limits.Stall)
	defer timer.Stop()
	for l.unfinished() {
		select {
		case <-l.drained:
		case <-timer.C:
			return
		case <-l.dead.Done():
			return
		}
	}
}

// unfinished reports whether the client still gets something.
func (l *link) unfinished() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	comesBack := !l.bye && !errors.Is(l.ended, errStopping) && !errors.Is(l.ended, errRevoked)
	return l.newest != nil || comesBack && l.sent.Size() > 0
}

// watch ends the connection once its token is revoked.
func (l *link) watch() {
	ticker := time.NewTicker(l.handler.limits.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-l.dead.Done():
			return
		}
		if !l.valid() {
			l.revoke()
			return
		}
	}
}

// revoke ends a connection whose token is no longer valid.
func (l *link) revoke() {
	l.mu.Lock()
	l.ended = errRevoked
	attached := l.newest != nil
	l.mu.Unlock()
	l.hangUp()
	if !attached {
		l.fail(errRevoked)
		return
	}
	notify(l.wake)
}
