// Package badnet has a network proxy that breaks connections at random moments. It
// forwards connections in memory, in a synctest bubble, or between real sockets.
package badnet

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// A Proxy stands between clients and a server, and breaks their connections at random
// moments. What it does to a connection follows from its seed, the time, and what the client
// sends first. It does not depend on the order of connections of one instant, which differs
// between runs.
type Proxy struct {
	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup
	calm  chan struct{} // closed when nothing breaks any more
	quiet sync.Once

	seed uint64

	mu     sync.Mutex
	dial   func() (net.Conn, error)
	faults []Fault // that happen
	counts Counts
	refuse bool
	lag    time.Duration
	live   []*proxied // in the order in which they were made
}

// NewProxy returns a proxy. The caller must call its To method, and must close it.
func NewProxy(seed uint64) *Proxy {
	p := &Proxy{
		calm: make(chan struct{}), seed: seed,
		faults: []Fault{Stall, BlackHole, EarlyDrop, Drop},
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Calm lets connections work from now on. Those that are broken stay broken.
func (p *Proxy) Calm() { p.quiet.Do(func() { close(p.calm) }) }

// Broken returns how many connections were chosen to break or to be refused.
func (p *Proxy) Broken() (n int) {
	for _, k := range p.Counts() {
		n += k
	}
	return n
}

// Counts returns how often each fault was chosen. A connection that ends early doesn't
// meet its fault.
func (p *Proxy) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.counts
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
	for _, c := range p.live {
		p.counts[Drop]++
		c.cut()
	}
}

// BlackHole makes all connections that are open now forward nothing any more.
func (p *Proxy) BlackHole() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.live {
		p.counts[BlackHole]++
		c.pause(true)
	}
}

// Refuse makes the proxy refuse new connections, or accept them again.
func (p *Proxy) Refuse(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = on
}

// To sets how new connections reach the server.
func (p *Proxy) To(dial func() (net.Conn, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dial = dial
}

var errRefused = errors.New("the proxy refuses the connection")

// Dial connects to the server in memory. It has the signature of
// [net.Dialer.DialContext].
func (p *Proxy) Dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	if err := p.carry(theirs); err != nil {
		return nil, err
	}
	return ours, nil
}

// Serve forwards the connections that a listener accepts until the proxy is closed, which
// closes the listener. Their directions may also be closed separately, and delayed.
func (p *Proxy) Serve(l net.Listener) {
	p.mu.Lock()
	p.faults = []Fault{Stall, BlackHole, EarlyDrop, Drop, HalfClose, Delay}
	p.mu.Unlock()
	context.AfterFunc(p.ctx, func() { _ = l.Close() })
	p.work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if p.carry(c) != nil {
				_ = c.Close()
			}
		}
	})
}

// Lag gives each direction of a new connection its own latency, up to a limit. Timers of one
// instant expire in random order in a bubble, so a test is more repeatable if nothing arrives at
// the instant when it was sent.
func (p *Proxy) Lag(limit time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lag = limit
}

// refuses reports whether new connections are refused at this instant.
func (p *Proxy) refuses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isCalm() {
		return p.refuse
	}
	refused := random(p.seed, uint64(time.Now().UnixNano())).IntN(1+len(p.faults)) == 0 //nolint:gosec // a time after 1970
	if refused {
		p.counts[Refuse]++
	}
	return refused
}

func (p *Proxy) isCalm() bool {
	select {
	case <-p.calm:
		return true
	default:
		return false
	}
}

// carry forwards a client's connection, unless it is refused.
func (p *Proxy) carry(client net.Conn) error {
	if p.refuses() {
		return errRefused
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.mu.Lock()
	dial := p.dial
	p.mu.Unlock()
	server, err := dial()
	if err != nil {
		return err
	}
	c := &proxied{proxy: p, client: client, server: server, hold: make(chan struct{}), ended: make(chan struct{})}
	p.mu.Lock()
	p.live = append(p.live, c)
	p.mu.Unlock()
	p.work.Go(c.run)
	return nil
}
