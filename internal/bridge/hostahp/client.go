package hostahp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// batchBytes is how much is written to a client at once.
	batchBytes = 64 << 10
	// maxQueue bounds what waits for a client, in bytes: one that has so much before
	// it is better off with snapshots, each of which may be larger.
	maxQueue = 8 << 20
	// lowQueue is what may wait for the client that reads fastest before more is said.
	lowQueue = 256 << 10
	// maxRequests bounds the requests of a client that are not answered.
	maxRequests = 256
	// maxChannels bounds the channels that a client is subscribed to.
	maxChannels = 1024
)

// A client is one connection. The host's mutex guards what is below stream.
type client struct {
	host   *Host
	from   consent.FrontEnd // what the server knows of it
	stream *protocol.Stream
	hangUp func() error // ends a read that is in progress; nil where nothing does
	wake   sync.Cond

	id       string // that it has chosen
	version  string // "" before it has said hello
	name     string
	channels map[string]string // those it is subscribed to, and how it calls them
	requests int               // that are not answered
	queue    [][]byte
	size     int
	left     bool
}

// ServeFrom serves a client on in and out until its input ends, its output breaks,
// or ctx ends. from is what the server knows of it. closeIn ends a read that is in
// progress; it may be nil.
func (h *Host) ServeFrom(ctx context.Context, from consent.FrontEnd, in io.Reader, out io.WriteCloser, closeIn func() error) error {
	c := &client{host: h, from: from, hangUp: closeIn, channels: make(map[string]string)}
	c.wake.L = &h.mu
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return ErrClosed
	}
	c.stream = protocol.NewStream(in, out, closeIn, h.cfg.Log)
	c.stream.BeforeWrite = h.keep
	h.clients.add(c)
	h.work.Add(1)
	h.mu.Unlock()
	defer h.work.Done()

	defer context.AfterFunc(ctx, c.leave)()
	var pump sync.WaitGroup
	pump.Go(c.pump)
	err := c.stream.Messages(c.take)
	c.leave()
	pump.Wait()
	if closing := c.stream.Close(); closing != nil {
		h.cfg.Log.Debug("closing the connection of a client", "error", closing)
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("reading a client: %w", err)
	}
	return nil
}

// keep has the agents' sources keep what was shown, before a client reads it.
func (h *Host) keep() {
	h.mu.Lock()
	sources := h.agents.sources()
	h.mu.Unlock()
	for _, s := range sources {
		s.Keep()
	}
}

// leave takes the client out. What it has begun goes on.
func (c *client) leave() {
	c.host.mu.Lock()
	c.goAway()
	c.host.mu.Unlock()
}

// goAway is leave with the lock held.
func (c *client) goAway() {
	if c.left {
		return
	}
	c.left = true
	h := c.host
	h.clients.remove(c)
	for channel := range c.channels {
		c.unsubscribe(channel)
	}
	if c.id != "" && !h.closed {
		time.AfterFunc(h.cfg.Grace, func() { h.forgetClient(c.id) })
	}
	c.wake.Signal()
	c.stream.End()
	if c.hangUp != nil {
		h.work.Go(func() {
			if err := c.hangUp(); err != nil {
				h.cfg.Log.Debug("closing the input of a client", "error", err)
			}
		})
	}
}

// forgetClient takes a client that has not come back out of its sessions.
func (h *Host) forgetClient(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || !h.clients.forget(id) {
		return
	}
	for s := range h.sessions.all() {
		s.overview.leave(id)
	}
}

// put queues a line. The lock is held.
func (c *client) put(line []byte) {
	if c.left {
		return
	}
	c.queue = append(c.queue, line)
	if c.size += len(line); c.size > maxQueue && len(c.queue) > 1 {
		c.host.cfg.Log.Warn("a client does not read, and is disconnected", "client", c.id)
		c.queue, c.size = nil, 0
		c.goAway()
		return
	}
	c.wake.Signal()
}

// pump writes to the client what there is, at the pace at which it reads.
func (c *client) pump() {
	batch := make([]byte, 0, batchBytes)
	for {
		var more bool
		batch, more = c.next(batch[:0])
		if len(batch) > 0 {
			if err := c.stream.AppendUnless(nil, bytes.TrimSuffix(batch, []byte("\n"))); err != nil {
				c.host.cfg.Log.Debug("a client does not read any more", "client", c.id, "error", err)
				c.leave()
				return
			}
		}
		if !more {
			return
		}
		c.stream.Flush()
		if cap(batch) > 4*batchBytes {
			batch = make([]byte, 0, batchBytes)
		}
	}
}

// next waits until there is something to send and appends lines to batch. more is
// false after the last of them.
func (c *client) next(batch []byte) (lines []byte, more bool) {
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	for len(c.queue) == 0 && !c.left {
		c.wake.Wait()
	}
	for len(c.queue) > 0 && len(batch) < batchBytes {
		line := c.queue[0]
		batch = append(append(batch, line...), '\n')
		c.size -= len(line)
		c.queue[0] = nil
		c.queue = c.queue[1:]
	}
	c.host.clients.wake()
	return batch, !c.left || len(c.queue) > 0
}
