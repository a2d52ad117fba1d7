package badnet

import (
	"net"
	"slices"
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
	latencies      [2]time.Duration // by way
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

// suffer makes the connection meet one fault after the other, until it ends.
func (c *proxied) suffer(f fate) {
	for c.meet(f) {
		f = c.proxy.fate()
	}
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
func (c *proxied) passes() bool {
	if c.slow.Load() {
		timer := time.NewTimer(c.proxy.delay())
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

// buffers are free buffers of connections.
var buffers = sync.Pool{New: func() any { return new([4 << 10]byte) }}

// forward copies bytes in one direction.
func (c *proxied) forward(to, from net.Conn, w way) {
	memory := buffers.Get().(*[4 << 10]byte) //nolint:forcetypeassert // it has no other
	defer buffers.Put(memory)
	buffer := memory[:]
	for {
		n, err := from.Read(buffer)
		if latency := c.latencies[w]; latency > 0 {
			time.Sleep(latency)
		}
		if !c.passes() {
			return
		}
		if n > 0 && !c.closed[w].Load() {
			if _, err := to.Write(buffer[:n]); err != nil && !c.closed[w].Load() {
				c.cut()
				return
			}
		}
		if err != nil {
			c.cut()
			return
		}
	}
}
