package memnet

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// A Proxy stands between clients and a listener, and breaks their connections at random
// moments: it closes them, forwards nothing for a while, or forwards nothing any more
// without closing them. Its behaviour depends only on its seed and on what the
// connections do.
type Proxy struct {
	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup
	calm  chan struct{} // closed when nothing breaks any more
	quiet sync.Once

	mu     sync.Mutex
	to     *Listener
	random *rand.Rand
	broken int
	refuse bool
	live   map[*proxied]bool
}

// NewProxy returns a proxy. The caller must say where it leads to, and must close it.
func NewProxy(seed uint64) *Proxy {
	p := &Proxy{calm: make(chan struct{}), random: rand.New(rand.NewPCG(seed, seed)), live: make(map[*proxied]bool)} //nolint:gosec // it only has to be repeatable
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Calm lets connections work from now on. Those that are broken stay broken.
func (p *Proxy) Calm() { p.quiet.Do(func() { close(p.calm) }) }

// Broken returns how many connections were broken or refused.
func (p *Proxy) Broken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broken
}

// Close closes all connections, and waits until nothing is left.
func (p *Proxy) Close() {
	p.stop()
	p.work.Wait()
}

// Cut closes all connections that are open now.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.live {
		p.broken++
		c.cut()
	}
}

// BlackHole makes all connections that are open now forward nothing any more.
func (p *Proxy) BlackHole() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.live {
		p.broken++
		c.pause(true)
	}
}

// Refuse makes the proxy refuse new connections, or accept them again.
func (p *Proxy) Refuse(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = on
}

// To changes where new connections lead to.
func (p *Proxy) To(l *Listener) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.to = l
}

var errRefused = errors.New("the proxy refuses the connection")

// Dial connects to the listener. It has the signature of [net.Dialer.DialContext].
func (p *Proxy) Dial(_ context.Context, _, _ string) (net.Conn, error) {
	fate := p.fate()
	if fate.refuse {
		return nil, errRefused
	}
	if err := p.ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	to := p.to
	p.mu.Unlock()
	server, err := to.Dial()
	if err != nil {
		return nil, err
	}
	ours, theirs := net.Pipe()
	c := &proxied{proxy: p, client: theirs, server: server, hold: make(chan struct{}), ended: make(chan struct{})}
	p.mu.Lock()
	p.live[c] = true
	p.mu.Unlock()
	p.work.Go(func() { c.forward(server, theirs) })
	p.work.Go(func() { c.forward(theirs, server) })
	p.work.Go(func() { c.suffer(fate) })
	return ours, nil
}

// A fate is what happens to a connection.
type fate struct {
	refuse    bool
	after     time.Duration
	stall     time.Duration // forward nothing for this long, and then continue
	blackHole bool          // forward nothing any more
}

func (p *Proxy) fate() (f fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.calm:
		return fate{after: -1, refuse: p.refuse}
	default:
	}
	p.broken++
	f.after = time.Duration(p.random.Int64N(int64(12 * time.Second)))
	switch p.random.IntN(5) {
	case 0:
		f.refuse = true
	case 1:
		f.stall = time.Duration(p.random.Int64N(int64(40 * time.Second)))
	case 2:
		f.blackHole = true
	case 3:
		f.after /= 1000 // in the middle of the handshake, or soon after
	}
	return f
}

// A proxied is one connection through the proxy.
type proxied struct {
	proxy          *Proxy
	client, server net.Conn

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

// suffer makes the connection meet its fate.
func (c *proxied) suffer(f fate) {
	defer func() {
		c.cut()
		c.proxy.mu.Lock()
		defer c.proxy.mu.Unlock()
		delete(c.proxy.live, c)
	}()
	if f.after < 0 {
		c.await(nil)
		return
	}
	timer := time.NewTimer(f.after)
	defer timer.Stop()
	if !c.await(timer.C) {
		return
	}
	switch {
	case f.blackHole:
		c.pause(true)
		c.await(nil)
	case f.stall > 0:
		c.pause(true)
		timer.Reset(f.stall)
		if c.await(timer.C) {
			c.pause(false)
			c.await(nil)
		}
	}
}

// await waits for c, or returns false when the connection or the proxy ends.
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

// forward copies bytes in one direction.
func (c *proxied) forward(to, from net.Conn) {
	buffer := make([]byte, 4<<10)
	for {
		n, err := from.Read(buffer)
		if !c.passes() {
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				c.cut()
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
				c.proxy.stop() // a pipe has no other errors
			}
			c.cut()
			return
		}
	}
}
