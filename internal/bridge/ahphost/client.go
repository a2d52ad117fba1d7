package ahphost

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// batchBytes is how much is written to a client at once.
	batchBytes = 64 << 10
	// maxQueue bounds a client's queue, in bytes. A client that is further behind is
	// better off with snapshots, each of which may be larger.
	maxQueue = 8 << 20
	// lowQueue bounds the queue of the fastest client before more is produced, in
	// bytes.
	lowQueue = 256 << 10
	// maxRequests bounds a client's unanswered requests.
	maxRequests = 256
	// maxChannels bounds the channels that a client is subscribed to.
	maxChannels = 1024
)

// A client is one connection. The host's mutex guards the fields after hangUp.
type client struct {
	host   *Host
	from   consent.Client // what the server knows about the client
	stream *protocol.Stream
	hangUp func() error // interrupts a read in progress; may be nil
	wake   sync.Cond

	id       string // chosen by the client
	version  string // "" before initialize or reconnect
	name     string
	channels map[string]string // the subscribed channels, with the client's names for them
	requests int               // the number of unanswered requests
	onSpoken func()            // called when the client sends its next message; may be nil
	queue    [][]byte
	size     int
	left     bool
}

// ServeFrom serves a client on in and out until in ends, out breaks, or ctx is done.
// from is what the server knows about the client. closeIn interrupts a read in
// progress; it may be nil.
func (h *Host) ServeFrom(ctx context.Context, from consent.Client, in io.Reader, out io.WriteCloser, closeIn func() error) error {
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
	err := c.stream.Messages(c.handle)
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

// keep makes the agents' sources and the host save what was shown, before a client reads it.
func (h *Host) keep() {
	h.mu.Lock()
	sources := h.agents.sources()
	h.mu.Unlock()
	for _, s := range sources {
		s.Keep()
	}
	h.saver.settle()
}

// leave disconnects the client. What it has started continues.
func (c *client) leave() {
	c.host.mu.Lock()
	c.goAway()
	c.host.mu.Unlock()
}

// goAway is like leave, for callers that hold the lock.
func (c *client) goAway() {
	if c.left {
		return
	}
	c.left = true
	h := c.host
	h.clients.remove(c)
	for _, channel := range slices.Sorted(maps.Keys(c.channels)) {
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

// forgetClient removes a client from its sessions if it has not reconnected.
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

// enqueue queues a line. The caller holds the lock.
func (c *client) enqueue(line []byte) {
	if c.left {
		return
	}
	c.queue = append(c.queue, line)
	if c.size += len(line); c.size > maxQueue && len(c.queue) > 1 {
		c.host.cfg.Log.Warn("disconnected a client that does not read", "client", c.id)
		c.queue, c.size = nil, 0
		c.goAway()
		return
	}
	c.wake.Signal()
}

// pump writes the queued lines at the client's reading pace.
func (c *client) pump() {
	batch := make([]byte, 0, batchBytes)
	for {
		var more bool
		batch, more = c.next(batch[:0])
		if len(batch) > 0 {
			if err := c.stream.AppendUnless(nil, bytes.TrimSuffix(batch, []byte("\n"))); err != nil {
				c.host.cfg.Log.Debug("a client no longer reads", "client", c.id, "error", err)
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

// next waits until there is something to send, and appends lines to batch. more is
// false once the client has left and the queue is empty.
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
