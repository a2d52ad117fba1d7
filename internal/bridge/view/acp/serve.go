package acp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
)

// endBudget bounds the shutdown after EOF: answering the open calls, then closing the
// agent while the last lines are written. Together with closing the stream, it takes
// less than the two seconds that an editor may wait.
const endBudget = 1700 * time.Millisecond

// answersFirst is the part of endBudget in which the open calls are answered before the
// agent is closed.
const answersFirst = 800 * time.Millisecond

// Config configures the connection to a client.
type Config struct {
	In  io.Reader
	Out io.WriteCloser
	// CloseIn interrupts a read of In in progress. If nil, In's Close method is used,
	// if it has one.
	CloseIn func() error
	Log     *slog.Logger
	// Client identifies where the user answers. Its name defaults to the client's
	// name.
	Client consent.Client
	// Join allows chunks to be joined if they arrive together, or while the client is
	// slow.
	Join bool
}

// Serve shows the source that open returns to the client until In ends, Out breaks or
// ctx is done. Then it cancels what is running, closes the source, and returns within
// two seconds. It returns an error only if reading failed.
func Serve(ctx context.Context, cfg Config, open func(core.View) core.Source) error {
	c := newClient(cfg)
	c.source = open(c)
	c.stream.BeforeWrite = c.source.Keep
	c.stream.OnEOF = c.finish
	read := make(chan error, 1)
	go func() { read <- c.stream.Messages(c.handle) }()
	var failed error
	select {
	case failed = <-read:
	case <-c.stream.Broken():
		cfg.Log.Info("the client no longer reads")
	case <-ctx.Done():
		cfg.Log.Info("stopping on a signal", "cause", context.Cause(ctx))
	}
	c.finish()
	c.awaitClosed()
	if err := c.stream.Close(); err != nil {
		cfg.Log.Debug("closing the connection", "error", err)
	}
	if failed != nil {
		return fmt.Errorf("reading the client: %w", failed)
	}
	return nil
}

// finish answers every call, closes the source and waits until the answers are written.
// No further call is accepted. Only the first finish has an effect.
func (c *client) finish() {
	if c.finishing.CompareAndSwap(false, true) {
		c.end()
		close(c.finished)
	}
	<-c.finished
}

func (c *client) end() {
	c.deadline = time.Now().Add(endBudget)
	open := c.calls.end()
	// From now on nothing waits for room, even if the client is slow.
	c.stream.End()
	c.source.Stop(open)
	// Answer first: a closed agent is still read to EOF, and many agents that print
	// continuously would use up the processor.
	c.calls.await(min(answersFirst, time.Until(c.deadline)))
	go func() {
		defer close(c.closed)
		ctx, stop := context.WithDeadline(context.Background(), c.deadline)
		defer stop()
		c.source.Close(ctx)
	}()
	c.calls.await(time.Until(c.deadline))
	c.stream.Drain(time.Until(c.deadline))
}

// awaitClosed waits until the source is closed, within the budget.
func (c *client) awaitClosed() {
	timer := time.NewTimer(time.Until(c.deadline))
	defer timer.Stop()
	select {
	case <-c.closed:
	case <-timer.C:
		c.log.Warn("some work did not end in time")
	}
}

var _ core.View = (*client)(nil)
