package server

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"

	"golang.org/x/time/rate"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// Errors that end a connection.
var (
	errGone     = errors.New("the client disconnected")
	errStalled  = errors.New("the client does not read")
	errOrphan   = errors.New("the client opened no stream")
	errRevoked  = errors.New("the token is no longer valid")
	errStopping = errors.New("the server is shutting down")
	errOver     = errors.New("the connection is closed")
)

// A Conn is one client's connection: lines that each contain one message. One goroutine
// may read while another writes.
type Conn struct {
	// ID is the connection's id for the client. It is the client's secret.
	ID string
	// Remote is the client's address.
	Remote string
	// Token is the name of the client's token, or "" if no token is required.
	Token string
	// Transport is websocket or http.
	Transport string

	away   func() bool // nil if the client can't be away
	log    *slog.Logger
	valid  func() bool
	rate   *rate.Limiter
	in     *io.PipeReader
	feed   *io.PipeWriter
	cancel context.CancelCauseFunc // for the function that serves it
	dead   context.Context         // done when nothing can be delivered any more
	kill   context.CancelCauseFunc

	writing sync.Mutex
	lines   remote.Lines
}

// newConn returns a connection that passes its lines to send, which may block.
func (h *Handler) newConn(caller guard.Caller, address, transport string, send func(line []byte) error) (*Conn, context.Context) {
	if caller.Valid == nil { // there is no guard
		caller.Valid = func() bool { return true }
	}
	in, feed := io.Pipe()
	c := &Conn{
		ID: rand.Text(), Remote: address, Token: caller.Token, Transport: transport,
		valid: caller.Valid, in: in, feed: feed, lines: remote.Lines{Each: send, Max: maxLine},
		rate: rate.NewLimiter(rate.Limit(h.limits.Rate), 2*h.limits.Rate),
	}
	c.log = h.log.With("remote", address, "token", caller.Token, "transport", transport)
	ctx, cancel := context.WithCancelCause(h.ctx)
	c.cancel = cancel
	c.dead, c.kill = context.WithCancelCause(context.Background())
	return c, ctx
}

// maxLine bounds a line from the agent, which may contain a whole other message.
const maxLine = 2 * remote.MaxMessage

// Read implements [io.Reader]. It returns EOF when the client has gone.
func (c *Conn) Read(p []byte) (int, error) { return c.in.Read(p) }

// Write implements [io.Writer]. It waits while the client does not read. Its error is
// the reason for the end of the connection.
func (c *Conn) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if err := context.Cause(c.dead); err != nil {
		return 0, err
	}
	return c.lines.Write(p)
}

// Away reports whether the connection waits for its client to come back.
func (c *Conn) Away() bool { return c.away != nil && c.away() }

// CloseRead ends a read in progress and all later ones.
func (c *Conn) CloseRead() error { return c.in.Close() }

// Close declares that nothing more will be written or read. Data that was already
// written still reaches the client.
func (c *Conn) Close() error { return c.in.Close() }

// fail ends the connection. Nothing more is delivered to the client, and reads return
// EOF.
func (c *Conn) fail(cause error) {
	c.kill(cause)
	c.hangUp()
}

// hangUp declares that the client will send nothing more.
func (c *Conn) hangUp() { _ = c.feed.Close() }

// give passes a client's message to the reader, and waits until it is read. It returns
// errRevoked if the client's token is no longer valid.
func (c *Conn) give(ctx context.Context, text []byte) error {
	if err := c.rate.Wait(ctx); err != nil {
		return err
	}
	if !c.valid() {
		return errRevoked
	}
	_, err := c.feed.Write(append(remote.OneLine(text), '\n'))
	return err
}
