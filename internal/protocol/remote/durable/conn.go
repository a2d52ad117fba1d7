package durable

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

const (
	// noticeDelay is how long a connection may be lost before the client is told. Most
	// interruptions are shorter.
	noticeDelay = time.Second
	// cancelGrace is how long a cancelled prompt waits for a server that can't be reached.
	cancelGrace = 3 * time.Second
	// shortLived is the age below which a connection that the server ends counts as a
	// failure, after which the next one is delayed.
	shortLived = 5 * time.Second
	// lastWrite bounds the last writes to a client that ended the connection.
	lastWrite = 1500 * time.Millisecond
	// maxMessage bounds a line, in bytes.
	maxMessage = 2 * remote.MaxMessage
)

// Config says how to reach the server.
type Config struct {
	client.Config
	// Patience is how long to try to reach a server that was lost. After that, the
	// connection ends. Zero means forever.
	Patience time.Duration
	// Answer makes the end of the connection answer all open requests with its reason.
	Answer bool
	// Linger goes on answering requests with the reason why the connection ended, until
	// this side closes it.
	Linger bool
}

// A Conn is a connection to a server. One goroutine may read while another writes. Both
// directions carry lines that each contain one message.
type Conn struct {
	cfg   Config
	name  string
	lines remote.Lines
	out   *outlet
	ctx   context.Context
	stop  context.CancelCauseFunc
	done  chan struct{}

	restoring sync.Mutex // held while a request of this package is written

	mu    sync.Mutex
	state state
	link  link
}

// A link is the state of the connection below. The Conn's mutex guards it.
type link struct {
	conn    *client.Conn
	waiting [][]byte // the client's lines, until the sessions are restored
	ready   bool     // lines go to conn
	// stopped is set if somebody stopped the server, and the client has requested
	// nothing since.
	stopped bool
	lost    bool     // the server can't be reached
	told    []string // the sessions whose users know that it is lost
	notice  *time.Timer
	ended   bool
	err     error // why the connection ended; nil if this side ended it
}

// errClosed is the cause if this side ended the connection.
var errClosed = errors.New("the connection was closed")

// errStopped says why a server is not started again.
var errStopped = errors.New("the server was stopped")

// Open starts to connect. It returns an error if the URL is invalid.
func Open(cfg Config) (*Conn, error) {
	c := &Conn{cfg: cfg, name: client.Shown(cfg.URL), out: newOutlet(), done: make(chan struct{}), state: newState()}
	c.lines = remote.Lines{Each: c.fromClient, Max: maxMessage}
	c.ctx, c.stop = context.WithCancelCause(context.Background())
	first, err := c.dial(false)
	if err != nil {
		return nil, err
	}
	c.link.conn, c.link.ready = first, true
	go c.run(first)
	return c, nil
}

// dial opens a connection. await keeps trying to reach the server.
func (c *Conn) dial(await bool) (*client.Conn, error) {
	config := c.cfg.Config
	if start := config.Start; start != nil {
		config.Start = func(ctx context.Context) error {
			if c.isStopped() {
				return errStopped
			}
			return start(ctx)
		}
	}
	config.Resume = &client.Resume{Lost: c.lost, Back: c.back, Patience: c.cfg.Patience, Await: await, MaxPause: c.cfg.maxPause()}
	return client.Open(config)
}

// isStopped reports whether somebody stopped the server, and the client has requested
// nothing since.
func (c *Conn) isStopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link.stopped
}

// Name returns the URL without its possibly secret parts.
func (c *Conn) Name() string { return c.name }

// Read implements [io.Reader].
func (c *Conn) Read(p []byte) (int, error) { return c.out.read.Read(p) }

// Write implements [io.Writer].
func (c *Conn) Write(p []byte) (int, error) { return c.lines.Write(p) }

// Close starts closing the connection, without waiting for the server. See [Conn.Done].
func (c *Conn) Close() error {
	c.stop(errClosed)
	return nil
}

// Done returns a channel that is closed when the connection has ended and all its
// goroutines have exited.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended. It returns nil before the end, and if this side
// closed the connection.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link.err
}

// run reads from the server, on one connection after another, until the end.
func (c *Conn) run(conn *client.Conn) {
	defer close(c.done)
	var writing sync.WaitGroup
	writing.Go(c.out.run)
	late := time.NewTimer(time.Hour)
	late.Stop()
	writing.Go(func() {
		select {
		case <-late.C:
			c.out.abandon()
		case <-c.out.written:
		}
	})
	defer context.AfterFunc(c.ctx, func() { // this side closed it, and may no longer read
		c.out.release()
		late.Reset(lastWrite)
	})()
	c.end(c.follow(conn))
	if c.cfg.Linger {
		<-c.ctx.Done()
	}
	c.out.finish()
	writing.Wait()
	c.stop(errClosed)
}

// follow reads from connections until one ends for good.
func (c *Conn) follow(conn *client.Conn) error {
	pause := time.Duration(0)
	for {
		began := time.Now()
		err := c.pump(conn)
		if _, ok := errors.AsType[*client.ResetError](err); !ok {
			return err
		}
		if pause *= 2; time.Since(began) > shortLived {
			pause = 0
		}
		c.reset(conn, err)
		select {
		case <-time.After(pause):
		case <-c.ctx.Done():
			return errClosed
		}
		pause = max(pause, 100*time.Millisecond)
		if conn, err = c.dial(true); err != nil {
			return err
		}
		c.mu.Lock()
		c.link.conn = conn
		c.mu.Unlock()
	}
}

// pump reads a connection to its end, and returns the reason.
func (c *Conn) pump(conn *client.Conn) error {
	defer context.AfterFunc(c.ctx, func() { _ = conn.Close() })()
	var restoring sync.WaitGroup
	ctx, stop := context.WithCancel(c.ctx)
	c.mu.Lock()
	ready := c.link.ready
	c.mu.Unlock()
	if !ready {
		restoring.Go(func() { c.restore(ctx, conn) })
	}
	lines := &remote.Lines{Each: func(line []byte) error { return c.fromServer(conn, line) }, Max: maxMessage}
	_, err := io.Copy(lines, conn)
	if err != nil && c.ctx.Err() == nil {
		c.cfg.logger().Warn("cannot forward the server's lines", "error", err)
	}
	_ = conn.Close()
	<-conn.Done()
	stop()
	restoring.Wait()
	if err = conn.Err(); err == nil {
		err = errClosed
	}
	return err
}

// end records why the connection ended, and answers what is open if that is wanted.
func (c *Conn) end(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() == nil && !errors.Is(cause, errClosed) {
		c.link.err = cause
	}
	c.link.ended = true
	if c.link.notice != nil {
		c.link.notice.Stop()
	}
	for _, call := range c.state.calls {
		if call.grace != nil {
			call.grace.Stop()
		}
	}
	c.answerAll()
}

// answerAll answers what is open when the connection has ended, if that is wanted. The
// caller holds the lock.
func (c *Conn) answerAll() {
	if !c.cfg.Answer {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(c.state.sessions)) {
		c.failTools(id, c.state.sessions[id])
	}
	for _, id := range c.state.openCalls() {
		if c.link.err == nil && c.state.calls[id].isPrompt() {
			c.answer(id, cancelled)
			continue
		}
		reason := errClosed
		if c.link.err != nil {
			reason = c.link.err
		}
		c.refuse(id, reason.Error(), "agent_exited")
	}
}

// forward sends a line to the server, or holds it until the sessions are restored. The
// caller holds the lock.
func (c *Conn) forward(line []byte) (send func() error) {
	if c.link.ended {
		c.answerAll()
		return func() error { return nil }
	}
	if !c.link.ready {
		c.link.waiting = append(c.link.waiting, append([]byte(nil), line...))
		return func() error { return nil }
	}
	conn := c.link.conn
	return func() error {
		_, err := conn.Write(append(append([]byte(nil), line...), '\n'))
		if err != nil && c.ctx.Err() == nil {
			return nil // the reader knows why, and what follows
		}
		return err
	}
}
