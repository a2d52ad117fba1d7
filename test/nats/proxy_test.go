package nats

import (
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A proxy is a network that can stall: nothing arrives, and nobody is notified.
// It keeps its port while the server behind it restarts at another one.
type proxy struct {
	listener net.Listener
	work     sync.WaitGroup

	mu      sync.Mutex
	changed sync.Cond
	target  string // the server's address
	stalled bool   // nothing passes
	deaf    bool   // nothing comes back
	closed  bool
	conns   []net.Conn
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{listener: l, target: target}
	p.changed.L = &p.mu
	p.work.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.mu.Lock()
		p.closed = true
		for _, c := range p.conns {
			_ = c.Close()
		}
		p.changed.Broadcast()
		p.mu.Unlock()
		p.work.Wait()
	})
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) url() string { return "nats://" + p.address() }

func (p *proxy) accept() {
	for {
		c, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		target := p.target
		p.mu.Unlock()
		server, err := net.Dial("tcp", target)
		if err != nil {
			_ = c.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, c, server)
		p.mu.Unlock()
		p.work.Go(func() { p.copy(c, server, &p.deaf) })
		p.work.Go(func() { p.copy(server, c, new(bool)) })
	}
}

// retarget sends new connections to another server.
func (p *proxy) retarget(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
}

// copy forwards data unless it or the whole network is stalled.
func (p *proxy) copy(to, from net.Conn, stalled *bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		for (p.stalled || *stalled) && !p.closed {
			p.changed.Wait()
		}
		p.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// deafen lets messages to NATS arrive, but blocks its responses.
func (p *proxy) deafen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deaf = true
}

func (p *proxy) set(stalled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = stalled
	p.changed.Broadcast()
}

func (p *proxy) stall() { p.set(true) }
func (p *proxy) goOn()  { p.set(false) }
