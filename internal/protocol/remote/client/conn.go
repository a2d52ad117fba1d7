package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// Config says where the agent is.
type Config struct {
	// URL begins with ws:// or wss:// for a WebSocket, and with http:// or
	// https:// for requests. ws+unix:///SOCKET:/PATH is a WebSocket on a Unix
	// socket.
	URL string
	// Header is sent with every request.
	Header http.Header
	// TLS is for servers whose certificates the system does not know; nil means
	// what the system knows.
	TLS *tls.Config
	Log *slog.Logger
}

const (
	// connectTimeout is how long a connection may take to come about.
	connectTimeout = 30 * time.Second
	// answerTimeout is how long a server may take to answer a request, once it
	// has it: it answers at once, and what it has to say comes on a stream.
	answerTimeout = time.Minute
	// byeTimeout is how long the server is waited for at the end.
	byeTimeout = 500 * time.Millisecond
	// maxMessage bounds what a server sends. Agents' lines may be longer than
	// those of clients.
	maxMessage = 2 * remote.MaxMessage
)

// A Conn is a connection. One goroutine may read while another one writes.
type Conn struct {
	config  Config
	name    string // the URL without what may be secret
	http    *http.Client
	carrier carrier

	in   *io.PipeReader
	feed *io.PipeWriter

	lines   remote.Lines
	ctx     context.Context // ends with the connection
	stop    context.CancelCauseFunc
	closing chan struct{} // closed by Close
	close   func()
	done    chan struct{}

	mu   sync.Mutex
	over bool // no work begins any more
	work sync.WaitGroup
}

// A carrier is one of the two forms of the transport.
type carrier interface {
	// run connects, and reads until the connection ends, with the reason.
	run(ctx context.Context) error
	// send sends a message, once there is a connection.
	send(line []byte) error
	// bye tells the server that this is the end.
	bye(ctx context.Context)
}

// errClosed is the end that this side wanted.
var errClosed = errors.New("the connection was closed")

// Open begins to connect. The error is that of a URL that is none.
func Open(c Config) (*Conn, error) {
	u, err := url.Parse(c.URL)
	if err != nil {
		return nil, errors.New("the URL is not valid") // the error would quote it
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = c.TLS
	transport.ResponseHeaderTimeout = answerTimeout
	conn := &Conn{
		config: c, name: Shown(c.URL), closing: make(chan struct{}), done: make(chan struct{}),
		http: &http.Client{
			Transport: transport, Jar: jar,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	switch u.Scheme {
	case "ws", "wss":
		conn.carrier = newSocket(conn)
	case "ws+unix":
		if u, err = onSocket(u, transport); err != nil {
			return nil, err
		}
		conn.config.URL = u.String()
		conn.carrier = newSocket(conn)
	case "http", "https":
		transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second}
		conn.carrier = newExchange(conn)
	default:
		return nil, fmt.Errorf("the URL %s: it must begin with wss://, ws://, https:// or http://", conn.name)
	}
	if u.Host == "" {
		return nil, fmt.Errorf("the URL %s has no host", conn.name)
	}
	conn.in, conn.feed = io.Pipe()
	conn.lines = remote.Lines{Each: conn.send, Max: maxMessage}
	conn.ctx, conn.stop = context.WithCancelCause(context.Background())
	conn.close = sync.OnceFunc(func() { close(conn.closing) })
	go conn.run()
	return conn, nil
}

// Shown is a URL without what may be secret in it.
func Shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "a URL that is not valid"
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
		c.carrier.bye(ctx)
		cancel()
		c.stop(errClosed)
	}
	_ = c.feed.Close()
	<-ended
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.work.Wait()
	c.http.CloseIdleConnections()
}

// start runs f in a goroutine that the end waits for. At the end it does not.
func (c *Conn) start(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.over {
		c.work.Go(f)
	}
}

// Name is the URL without what may be secret in it.
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

// end ends the connection. What comes of a goodbye is no error.
func (c *Conn) end(err error) {
	select {
	case <-c.closing:
		err = errClosed
	default:
	}
	c.stop(err)
}

// Close says goodbye to the server, without waiting for that. See [Conn.Done].
func (c *Conn) Close() error {
	c.close()
	return nil
}

// Done is closed when the connection has ended, and nothing of it is left.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err is why the connection has ended; nil before, and where this side has closed
// it.
func (c *Conn) Err() error {
	err := context.Cause(c.ctx)
	if errors.Is(err, errClosed) {
		return nil
	}
	return err
}

// deliver gives a message of the server to whoever reads. After Close there is none:
// who says goodbye reads the frames, too, and what is read beside that is no message.
func (c *Conn) deliver(text []byte) error {
	select {
	case <-c.closing:
		return errClosed
	default:
	}
	_, err := c.feed.Write(append(remote.OneLine(text), '\n'))
	return err
}
