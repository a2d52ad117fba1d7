package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/toolview"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// endGrace bounds the answers of running turns when the input ends.
	endGrace = 700 * time.Millisecond
	// closeGrace bounds the end of all agents, and drainGrace what an editor may
	// take to read the last lines. With endGrace they stay within the two
	// seconds that an editor may wait.
	closeGrace = 900 * time.Millisecond
	drainGrace = 200 * time.Millisecond
)

// Config is what a bridge is made of.
type Config struct {
	Agent   agent.Agent
	Version string // of Turnwire, for agentInfo
	In      io.Reader
	Out     io.WriteCloser
	// CloseIn ends a read of In that is under way; it may be nil.
	CloseIn func() error
	Log     *slog.Logger
	// Tools is what the person says of tools: it wins over all else.
	Tools toolview.Table
	// Join lets text deltas be joined that arrive together, or while the editor
	// is slow.
	Join bool
}

// Serve speaks ACP on In and Out until the input ends, the output breaks or
// ctx ends. Then it cancels what runs, stops every agent, and returns when
// nothing of it is left, within two seconds. It returns an error only where
// reading failed.
func Serve(ctx context.Context, cfg Config) error {
	stream := protocol.NewStream(cfg.In, cfg.Out, cfg.CloseIn, cfg.Log)
	stream.Join = cfg.Join
	c := newConn(cfg, stream)
	stream.OnEOF = c.finish
	rpc := stream.Connect(context.WithoutCancel(ctx), c, jsonrpc2.SetLogger(logger{cfg.Log}))
	var failed error
	select {
	case <-rpc.DisconnectNotify():
		failed = stream.ReadError()
	case <-stream.Broken():
		cfg.Log.Info("the editor does not read any more")
	case <-ctx.Done():
		cfg.Log.Info("told to stop", "cause", context.Cause(ctx))
		c.finish()
	}
	c.stop()
	if err := rpc.Close(); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		cfg.Log.Debug("closing the connection", "error", err)
	}
	// At the end of the input the reader has closed the stream, and may still
	// be writing its last lines. In all other cases they are written by now.
	stream.Drain(drainGrace)
	if failed != nil {
		return fmt.Errorf("reading the editor: %w", failed)
	}
	return nil
}

// logger lets jsonrpc2 log to slog.
type logger struct{ log *slog.Logger }

// Printf implements [jsonrpc2.Logger].
func (l logger) Printf(format string, v ...any) {
	l.log.Debug("jsonrpc2", "format", format, "values", v)
}

// conn is one connection with an editor.
type conn struct {
	agent   agent.Agent
	tools   toolview.Table
	version string
	stream  *protocol.Stream
	log     *slog.Logger
	work    sync.WaitGroup // goroutines of requests
	ctx     context.Context
	cancel  context.CancelFunc
	calls   caller

	mu       sync.Mutex
	client   *client // nil before initialize
	sessions map[string]*session
	inFlight map[jsonrpc2.ID]func() // cancels the request
	entered  int                    // requests whose answer is not in the stream yet
	idle     sync.Cond              // entered has become 0
	ending   bool
}

func newConn(cfg Config, stream *protocol.Stream) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{
		agent:    cfg.Agent,
		tools:    toolview.Common.With(cfg.Tools),
		version:  cfg.Version,
		stream:   stream,
		log:      cfg.Log,
		ctx:      ctx,
		cancel:   cancel,
		sessions: make(map[string]*session),
		inFlight: make(map[jsonrpc2.ID]func()),
	}
	c.idle.L = &c.mu
	return c
}

// finish cancels every request that is in flight and waits, for a while, until
// they are answered. No further request is taken.
func (c *conn) finish() {
	c.mu.Lock()
	c.ending = true
	cancels := make([]func(), 0, len(c.inFlight))
	for _, cancel := range c.inFlight {
		cancels = append(cancels, cancel)
	}
	c.mu.Unlock()
	for _, cancel := range cancels {
		cancel()
	}
	expired := false
	timer := time.AfterFunc(endGrace, func() {
		c.mu.Lock()
		expired = true
		c.idle.Broadcast()
		c.mu.Unlock()
	})
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.entered > 0 && !expired {
		c.idle.Wait()
	}
}

// stop closes all sessions and waits for every goroutine.
func (c *conn) stop() {
	c.mu.Lock()
	c.ending = true
	sessions := c.sessions
	c.sessions = make(map[string]*session)
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	c.cancel()
	c.stream.End()
	var all sync.WaitGroup
	for _, s := range sessions {
		all.Go(func() { s.close(ctx) })
	}
	all.Go(c.work.Wait)
	done := make(chan struct{})
	go func() {
		all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		c.log.Warn("not everything ended in time")
	}
}
