package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// Config says how to reach the agent.
type Config struct {
	// URL starts with ws:// or wss:// for a WebSocket, and with http:// or https:// for
	// HTTP requests. ws+unix:///SOCKET:/PATH is a WebSocket on a Unix socket.
	URL string
	// Header is sent with every request.
	Header http.Header
	// TLS configures certificates that the system does not know; nil means the system's
	// settings.
	TLS *tls.Config
	Log *slog.Logger
	// Dial opens network connections; nil means the operating system's.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Start starts the server behind a ws+unix URL. It is called if nobody listens there;
	// it may be nil.
	Start func(ctx context.Context) error
	// Resume makes the connection survive interruptions, if the server supports that. If
	// nil, a lost WebSocket or stream ends the connection.
	Resume *Resume
}

const (
	// connectTimeout bounds connecting.
	connectTimeout = 30 * time.Second
	// answerTimeout bounds the wait for the response to a request once it is sent.
	// Servers respond at once, because results arrive on a stream.
	answerTimeout = time.Minute
	// byeTimeout bounds the wait for the server at the end.
	byeTimeout = 500 * time.Millisecond
	// maxMessage bounds a message from a server, in bytes. Agents' lines may be longer
	// than clients'.
	maxMessage = 2 * remote.MaxMessage
)

// A Conn is a connection. One goroutine may read while another writes.
type Conn struct {
	config  Config
	name    string // the URL without possible secrets
	http    *http.Client
	carrier carrier

	in   *io.PipeReader
	feed *io.PipeWriter
	turn chan struct{} // full while a message is passed to the reader

	lines   remote.Lines
	ctx     context.Context // done when the connection ends
	stop    context.CancelCauseFunc
	closing chan struct{} // closed by Close
	close   func()
	done    chan struct{}

	mu     sync.Mutex
	closed bool // no goroutine may start any more
	work   sync.WaitGroup
}

// A carrier is one of the two variants of the transport.
type carrier interface {
	// run connects and reads until the connection ends. It returns the reason.
	run(ctx context.Context) error
	// send sends a message, after waiting for the connection.
	send(line []byte) error
	// close tells the server that the connection ends.
	close(ctx context.Context)
}

// errClosed is the error if this side ended the connection.
var errClosed = errors.New("the connection was closed")

// Open starts to connect. It returns an error if the URL is invalid.
func Open(c Config) (*Conn, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, errors.New("the URL is invalid") // err would quote the URL
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = maxReports
	transport.TLSClientConfig = c.TLS
	transport.ResponseHeaderTimeout = answerTimeout
	if c.Dial != nil {
		transport.Proxy, transport.DialContext = nil, c.Dial
	}
	conn := &Conn{
		config: c, name: Shown(c.URL), closing: make(chan struct{}), done: make(chan struct{}),
		http: &http.Client{
			Transport: transport, Jar: jar,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	switch u.Scheme {
	case "ws", "wss":
		conn.carrier = conn.webSocket()
	case "ws+unix":
		if u, err = onSocket(u, transport, c.Start); err != nil {
			return nil, err
		}
		conn.config.URL = u.String()
		conn.carrier = conn.webSocket()
	case "http", "https":
		transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}
		conn.carrier = newExchange(conn)
	default:
		return nil, fmt.Errorf("the URL %s must begin with wss://, ws://, https:// or http://", conn.name)
	}
	if u.Host == "" {
		return nil, fmt.Errorf("the URL %s has no host", conn.name)
	}
	conn.in, conn.feed = io.Pipe()
	conn.turn = make(chan struct{}, 1)
	conn.lines = remote.Lines{Each: conn.send, Max: maxMessage}
	conn.ctx, conn.stop = context.WithCancelCause(context.Background())
	conn.close = sync.OnceFunc(func() { close(conn.closing) })
	go conn.run()
	return conn, nil
}

// webSocket returns the carrier for a WebSocket.
func (c *Conn) webSocket() carrier {
	if c.config.Resume != nil {
		return newResumable(c, *c.config.Resume)
	}
	return newSocket(c)
}

// Shown returns a URL without its possibly secret parts.
func Shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "an invalid URL"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

func (c *Conn) run() {
	defer close(c.done)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.end(c.carrier.run(c.ctx))
	}()
	select {
	case <-ended:
	case <-c.closing:
		ctx, cancel := context.WithTimeout(context.Background(), byeTimeout)
		c.carrier.close(ctx)
		cancel()
		c.stop(errClosed)
	}
	_ = c.feed.Close()
	<-ended
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.work.Wait()
	c.http.CloseIdleConnections()
}

// start runs f in a goroutine that the end of the connection waits for. It does nothing
// after the end.
func (c *Conn) start(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.work.Go(f)
	}
}

// Name returns the URL without its possibly secret parts.
func (c *Conn) Name() string { return c.name }

// Read implements [io.Reader].
func (c *Conn) Read(p []byte) (int, error) { return c.in.Read(p) }

// Write implements [io.Writer].
func (c *Conn) Write(p []byte) (int, error) { return c.lines.Write(p) }

func (c *Conn) send(line []byte) error {
	if err := context.Cause(c.ctx); err != nil {
		return err
	}
	err := c.carrier.send(line)
	if err != nil {
		c.end(err)
	}
	return err
}

// end ends the connection with a reason. After Close, the reason is always errClosed.
func (c *Conn) end(err error) {
	select {
	case <-c.closing:
		err = errClosed
	default:
	}
	c.stop(err)
}

// Close starts closing the connection, without waiting for the server. See [Conn.Done].
func (c *Conn) Close() error {
	c.close()
	return nil
}

// Done returns a channel that is closed when the connection has ended and all its
// goroutines have exited.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended. It returns nil before the end, and if this side
// closed the connection.
func (c *Conn) Err() error {
	err := context.Cause(c.ctx)
	if errors.Is(err, errClosed) {
		return nil
	}
	return err
}

// deliver passes a server's message to the reader. It delivers nothing after Close,
// because data read during the closing handshake is not a message.
func (c *Conn) deliver(text []byte) error {
	select {
	case <-c.closing:
		return errClosed
	case c.turn <- struct{}{}: // virtual time passes while streams wait here
		defer func() { <-c.turn }()
	}
	select {
	case <-c.closing:
		return errClosed
	default:
	}
	_, err := c.feed.Write(append(remote.OneLine(text), '\n'))
	return err
}
