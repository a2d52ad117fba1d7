package memnats

import (
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"time"
)

// A Link is a client's network to the server.
type Link struct {
	server *Server

	mu      sync.Mutex
	cut     bool
	stalled bool
	conns   []*conn // the client's ends
}

// Link returns a working network to the server.
func (s *Server) Link() *Link { return &Link{server: s} }

// Dial connects to the server. It fails at once while the link is cut or stalled.
func (l *Link) Dial() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut || l.stalled {
		return nil, errors.New("the network is unreachable")
	}
	up, down := newBuffer(), newBuffer()
	near := &conn{in: down, out: up}
	l.conns = append(l.conns, near)
	l.server.serve(&conn{in: up, out: down})
	return near, nil
}

// Cut breaks the client's connections, and lets nobody connect until it is called again
// with false.
func (l *Link) Cut(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = on
	for _, c := range l.conns {
		c.in.set(func(b *buffer) { b.broken = b.broken || on })
		c.out.set(func(b *buffer) { b.broken = b.broken || on })
	}
}

// Stall holds back everything in both directions, until it is called again with false.
func (l *Link) Stall(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stalled = on
	for _, c := range l.conns {
		c.in.set(func(b *buffer) { b.stalled = on })
		c.out.set(func(b *buffer) { b.stalled = on })
	}
}

// Mute holds back what the server sends, until it is called again with false. What the client sends
// still arrives, so if the connection breaks then, the client doesn't know what had an effect.
func (l *Link) Mute(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stalled = on
	for _, c := range l.conns {
		c.in.set(func(b *buffer) { b.stalled = on })
	}
}

// ForgetTimers must be called outside of bubbles, after one in which a client reconnected. The
// library pools timers for this, and a bubble's timers can't be used in another one.
func ForgetTimers() {
	runtime.GC()
	runtime.GC() // a pool survives one collection
}

// A conn is one end of a connection. Writing never blocks, because the library writes while
// it holds a lock, and a goroutine that waits for a lock stops a bubble's clock.
type conn struct{ in, out *buffer }

// Read implements [net.Conn].
func (c *conn) Read(p []byte) (int, error) { return c.in.read(p) }

// Write implements [net.Conn].
func (c *conn) Write(p []byte) (int, error) { return c.out.write(p) }

// Close implements [net.Conn]. What was written can still be read.
func (c *conn) Close() error {
	c.out.set(func(b *buffer) { b.ended = true })
	c.in.set(func(b *buffer) { b.closed = true })
	return nil
}

func (*conn) LocalAddr() net.Addr  { return &net.TCPAddr{} }
func (*conn) RemoteAddr() net.Addr { return &net.TCPAddr{} }

// The deadlines have no effect: writes don't block, and greetings come at once.
func (*conn) SetDeadline(time.Time) error      { return nil }
func (*conn) SetReadDeadline(time.Time) error  { return nil }
func (*conn) SetWriteDeadline(time.Time) error { return nil }

// A buffer is one direction of a connection.
type buffer struct {
	mu      sync.Mutex
	changed sync.Cond
	data    []byte
	stalled bool
	ended   bool // by the writer
	closed  bool // by the reader
	broken  bool // by the network
}

func newBuffer() *buffer {
	b := new(buffer)
	b.changed.L = &b.mu
	return b
}

func (b *buffer) set(change func(*buffer)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b)
	b.changed.Broadcast()
}

func (b *buffer) read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		switch {
		case b.closed:
			return 0, net.ErrClosed
		case b.broken:
			return 0, io.ErrUnexpectedEOF
		case b.stalled || len(b.data) == 0 && !b.ended:
			b.changed.Wait()
		case len(b.data) == 0:
			return 0, io.EOF
		default:
			n := copy(p, b.data)
			if b.data = b.data[n:]; len(b.data) == 0 {
				b.data = nil
			}
			return n, nil
		}
	}
}

func (b *buffer) write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken || b.ended || b.closed {
		return 0, os.ErrClosed
	}
	b.data = append(b.data, p...)
	b.changed.Broadcast()
	return len(p), nil
}
