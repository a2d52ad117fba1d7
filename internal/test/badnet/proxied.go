package badnet

import (
	"bytes"
	"context"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A way is a direction.
type way uint8

const (
	toServer way = iota
	toClient
)

// A proxied is one connection through the proxy.
type proxied struct {
	proxy          *Proxy
	client, server net.Conn
	slow           atomic.Bool
	closed         [2]atomic.Bool // by way

	mu    sync.Mutex
	hold  chan struct{} // closed while bytes pass
	held  bool
	ended chan struct{}
	end   sync.Once
}

func (c *proxied) cut() {
	c.end.Do(func() {
		close(c.ended)
		_ = c.client.Close()
		_ = c.server.Close()
	})
}

// run forwards the connection until it ends. What happens to it is chosen when the client has
// sent something.
func (c *proxied) run() {
	defer context.AfterFunc(c.proxy.ctx, c.cut)()
	defer c.leave()
	memory := buffers.Get().(*buffer) //nolint:forcetypeassert // it has no other
	defer buffers.Put(memory)
	n, err := c.client.Read(memory[:])
	if err != nil {
		return
	}
	head, _, _ := bytes.Cut(memory[:n], []byte("\r\n\r\n")) // a body may have names of temporary files
	key := fnv.New64a()
	_, _ = key.Write(head)                                              // never fails
	_, _ = key.Write(strconv.AppendInt(nil, time.Now().UnixNano(), 10)) // never fails
	of := func(stream uint64) *rand.Rand { return random(c.proxy.seed+stream, key.Sum64()) }
	fates := of(0)
	first := c.proxy.fate(fates)
	var work sync.WaitGroup
	work.Go(func() { c.forward(c.server, c.client, toServer, of(1), memory[:n]) })
	work.Go(func() { c.forward(c.client, c.server, toClient, of(2), nil) })
	for f := first; c.meet(f); {
		f = c.proxy.fate(fates)
	}
	c.cut()
	work.Wait()
}

// leave ends the connection, and forgets it.
func (c *proxied) leave() {
	c.cut()
	c.proxy.mu.Lock()
	defer c.proxy.mu.Unlock()
	c.proxy.live = slices.DeleteFunc(c.proxy.live, func(one *proxied) bool { return one == c })
}

// meet makes the connection meet a fault. It returns false if the connection ends.
func (c *proxied) meet(f fate) bool {
	if f.fault == noFault {
		return c.await(nil)
	}
	timer := time.NewTimer(f.after)
	defer timer.Stop()
	if !c.await(timer.C) {
		return false
	}
	timer.Reset(f.last)
	switch f.fault {
	case Stall:
		c.pause(true)
		defer c.pause(false)
		return c.await(timer.C)
	case Delay:
		c.slow.Store(true)
		defer c.slow.Store(false)
		return c.await(timer.C)
	case BlackHole:
		c.pause(true)
		c.await(timer.C)
	case HalfClose:
		c.closeWay(f.way)
		return c.await(nil)
	}
	return false
}

// closeWay ends one direction.
func (c *proxied) closeWay(w way) {
	c.closed[w].Store(true)
	to := c.server
	if w == toClient {
		to = c.client
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails if the connection has ended
	}
}

// await waits for t, or returns false when the connection or the proxy ends.
func (c *proxied) await(t <-chan time.Time) bool {
	select {
	case <-t:
		return true
	case <-c.ended:
	case <-c.proxy.ctx.Done():
	}
	return false
}

func (c *proxied) pause(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if on {
		c.held = true
		return
	}
	c.held = false
	close(c.hold)
	c.hold = make(chan struct{})
}

// passes waits while nothing passes. It returns false when the connection ends.
func (c *proxied) passes(r *rand.Rand) bool {
	if c.slow.Load() {
		timer := time.NewTimer(time.Duration(r.Int64N(int64(longDelay))))
		defer timer.Stop()
		if !c.await(timer.C) {
			return false
		}
	}
	for {
		c.mu.Lock()
		held, hold := c.held, c.hold
		c.mu.Unlock()
		if !held {
			return true
		}
		select {
		case <-hold:
		case <-c.ended:
			return false
		case <-c.proxy.ctx.Done():
			return false
		}
	}
}

type buffer [4 << 10]byte

// buffers are free buffers of connections.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// forward copies bytes in one direction. The first ones were read already.
func (c *proxied) forward(to, from net.Conn, w way, r *rand.Rand, first []byte) {
	latency := c.proxy.latency(r)
	memory := buffers.Get().(*buffer) //nolint:forcetypeassert // it has no other
	defer buffers.Put(memory)
	for n := copy(memory[:], first); ; {
		var err error
		if n == 0 {
			n, err = from.Read(memory[:])
		}
		if latency > 0 {
			time.Sleep(latency)
		}
		if !c.passes(r) {
			return
		}
		if n > 0 && !c.closed[w].Load() {
			if _, err := to.Write(memory[:n]); err != nil && !c.closed[w].Load() {
				c.cut()
				return
			}
		}
		if err != nil {
			c.cut()
			return
		}
		n = 0
	}
}
